export { describeFinding } from "./describeFinding.ts"
export { batchSize, type Finding, fuzz, type FuzzOptions } from "./fuzz.ts"
