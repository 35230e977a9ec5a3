export { cycleChargeId } from "./rules/cycleChargeId.ts"
export { cycleEnd, cycleStart, type CycleTerms, findCycle, hasCycle, type RecurrencePeriod } from "./rules/cycles.ts"
export { askableUntil, type CycleSchedule, cycleSchedule } from "./rules/cycleSchedule.ts"
export {
  type ChargeCycle,
  type Debit,
  type DebitAttempt,
  type DebitView,
  isLiveAttempt,
  newDebit,
} from "./rules/Debit.ts"
export {
  decideDebit,
  type DebitNews,
  type DebitTransition,
  findRetryDay,
  findRetryObstacle,
  type RetryObstacle,
} from "./rules/decideDebit.ts"
export { decideRecurrence, type RecurrenceCommand, type RecurrenceTransition } from "./rules/decideRecurrence.ts"
export { type CyclePlan, planCycle } from "./rules/planCycle.ts"
export type {
  ApprovedRecurrence,
  AskedRecurrence,
  EndedBy,
  EndedRecurrence,
  EndingRecurrence,
  Journey,
  OfferedRecurrence,
  Recurrence,
  RecurrenceEnd,
  RecurrenceTerms,
} from "./rules/Recurrence.ts"
export { InvalidRecurrenceId, parseRecurrenceId, type RecurrenceId } from "./rules/RecurrenceId.ts"
export type { RecurrenceView } from "./rules/RecurrenceView.ts"
export {
  type AboutRecurrence,
  CancelTooLate,
  CycleNotOpen,
  RecurrenceConflict,
  RecurrenceNotApproved,
  RecurrenceNotFound,
  RetryNotPossible,
} from "./rules/recurrenceErrors.ts"
