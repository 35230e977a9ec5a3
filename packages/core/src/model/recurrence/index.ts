export {
  type EndedBy,
  InvalidRecurrenceId,
  parseRecurrenceId,
  type RecurrenceEnd,
  type RecurrenceId,
} from "../cycle/RecurrenceId.ts"
export { cycleChargeId, type CyclePlan, mayBeCycleCharge, newCycleCharge, planCycle } from "./CycleCharge.ts"
export { type CycleRange, findOutside, isInRanges } from "../cycle/CycleRange.ts"
export {
  cycleEnd,
  type CycleSchedule,
  cycleSchedule,
  cycleStart,
  type CycleTerms,
  findCycle,
  hasCycle,
  type RecurrencePeriod,
  requestableUntil,
} from "../cycle/cycles.ts"
export {
  CancelTooLate,
  type ChargeCycle,
  type Debit,
  type DebitAttempt,
  type DebitView,
  freesCycle,
  isCancellable,
  isLiveAttempt,
  newDebit,
} from "../cycle/Debit.ts"
export { decideDebit, type DebitNews, type DebitTransition } from "../cycle/decideDebit.ts"
export { findRetryDay, findRetryObstacle, type RetryObstacle } from "../cycle/retries.ts"
export { decideRecurrence, type RecurrenceCommand, type RecurrenceTransition } from "./decideRecurrence.ts"
export {
  type ApprovedRecurrence,
  type EndedRecurrence,
  type EndingRecurrence,
  type Journey,
  type OfferedRecurrence,
  personalRecurrenceFields,
  type Recurrence,
  type RecurrenceTerms,
  type RecurrenceView,
  type RequestedRecurrence,
  withoutRecurrencePayer,
} from "./Recurrence.ts"
export {
  InvalidRecurrenceRequest,
  type JourneyInput,
  parseRecurrenceRequest,
  type RecurrenceRequest,
  type RecurrenceRequestField,
  type RecurrenceRequestInput,
  type RequestedJourney,
} from "./RecurrenceRequest.ts"
export { checkOffer, SolicitationOutOfRange, StartDateTooEarly } from "./Offer.ts"
export {
  type AboutRecurrence,
  AmountIsFixed,
  CycleNotOpen,
  PayerHasRecurrence,
  RecurrenceConflict,
  RecurrenceNotApproved,
  RecurrenceNotFound,
  RetryNotPossible,
} from "./recurrenceErrors.ts"
