export type { Action, Step } from "./Action.ts"
export type { BankClient } from "./bank/BankClient.ts"
export { describeFailure } from "./shrink.ts"
export type { Rule, Violation } from "./judge/rules.ts"
export { shrink, type Shrunk } from "./shrink.ts"
export { type Simulated, simulate } from "./simulate.ts"
export type { SimulationOptions } from "./Simulation.ts"
export {
  type RecurrenceSimulationOptions,
  type SimulatedRecurrences,
  simulateRecurrences,
} from "./recurrences/simulateRecurrences.ts"
export type { RecurrenceAction, RecurrenceStep } from "./recurrences/recurrencePlan.ts"
