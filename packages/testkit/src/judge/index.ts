export type { StoreCall } from "./describeWrite.ts"
export type { Books, Evidence, Receipt } from "./Evidence.ts"
export { Judge } from "./Judge.ts"
export { type Rule, rules, type Violation } from "./rules.ts"
