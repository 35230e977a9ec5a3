export { CancelTooLate } from "./cycles/CancelTooLate.ts"
export { cycleChargeId, mayBeCycleCharge } from "./rules/cycleChargeId.ts"
export { cycleEnd, cycleStart, type CycleTerms, findCycle, hasCycle, type RecurrencePeriod } from "./cycles/cycles.ts"
export { isCancellable } from "./cycles/isCancellable.ts"
export { askableUntil, type CycleSchedule, cycleSchedule } from "./cycles/cycleSchedule.ts"
export {
  type ChargeCycle,
  type Debit,
  type DebitAttempt,
  type DebitView,
  freesCycle,
  isLiveAttempt,
  newDebit,
} from "./cycles/Debit.ts"
export {
  decideDebit,
  type DebitNews,
  type DebitTransition,
  findRetryDay,
  findRetryObstacle,
  type RetryObstacle,
} from "./cycles/decideDebit.ts"
export { decideRecurrence, type RecurrenceCommand, type RecurrenceTransition } from "./rules/decideRecurrence.ts"
export { type CyclePlan, planCycle } from "./rules/planCycle.ts"
export type {
  ApprovedRecurrence,
  RequestedRecurrence,
  EndedRecurrence,
  EndingRecurrence,
  Journey,
  OfferedRecurrence,
  Recurrence,
  RecurrenceTerms,
} from "./rules/Recurrence.ts"
export type { EndedBy, RecurrenceEnd } from "./cycles/RecurrenceEnd.ts"
export { InvalidRecurrenceId, parseRecurrenceId, type RecurrenceId } from "./cycles/RecurrenceId.ts"
export {
  InvalidRecurrenceRequest,
  type JourneyInput,
  parseRecurrenceRequest,
  type RecurrenceRequest,
  type RecurrenceRequestField,
  type RecurrenceRequestInput,
  type RequestedJourney,
} from "./rules/RecurrenceRequest.ts"
export { checkOffer, SolicitationOutOfRange, StartDateTooEarly } from "./rules/checkOffer.ts"
export type { RecurrenceView } from "./rules/RecurrenceView.ts"
export {
  type AboutRecurrence,
  AmountIsFixed,
  CycleNotOpen,
  PayerHasRecurrence,
  RecurrenceConflict,
  RecurrenceNotApproved,
  RecurrenceNotFound,
  RetryNotPossible,
} from "./rules/recurrenceErrors.ts"
export { newCycleCharge } from "./rules/newCycleCharge.ts"
