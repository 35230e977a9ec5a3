export { describeFailure, shrink } from "./shrink.ts"
export { type Simulated, simulate } from "./simulate.ts"
export type { SimulationOptions } from "./Simulation.ts"
export { simulateRecurrences } from "./recurrences/simulateRecurrences.ts"
