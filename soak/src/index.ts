export { faultKinds } from "./faults.ts"
export { runSoak, type SoakOptions } from "./runSoak.ts"
export type { SoakResults, SoakSample } from "./SoakResults.ts"
