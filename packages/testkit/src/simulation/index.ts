export { simulate } from "./simulate.ts"
export type { Simulated, SimulationOptions } from "./SimulationOptions.ts"
export type { Rule, Violation } from "./invariants/Violation.ts"
