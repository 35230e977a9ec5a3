export { maxRecurrenceCheckMs } from "../../ports/portErrors.ts"
export {
  type CycleOrder,
  type CycleView,
  type OtherBankIds,
  type RecurrenceOrder,
  RecurrenceProcessor,
} from "../../ports/RecurrenceProcessor.ts"
export {
  type DueRecurrence,
  maxOpenCharges,
  type NamedRecurrences,
  type RecurrenceChange,
  type RecurrenceFilter,
  type RecurrenceInsertion,
  RecurrenceStore,
} from "../../ports/RecurrenceStore.ts"
export type { CycleRequest } from "../../model/recurrence/CycleCharge.ts"
export { Recurrences } from "./Recurrences.ts"
