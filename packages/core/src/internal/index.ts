// What the packages of one release share: no promise holds for it, and it may change with any release.
export type { MoveError } from "../charges/ChargeMoves.ts"
export type { InspectedPayment, ShownPayment } from "../charges/payments/inspectShown.ts"
export type { SimulationError } from "../charges/payments/PaymentSimulation.ts"
export { chargeOrder } from "../charges/issuing/chargeOrder.ts"
export type { IssueError } from "../charges/PixCharges.ts"
export type { BegunPartialRefund } from "../charges/refunds/refundCharge.ts"
export { bookPayment } from "../charges/rules/bookPayment.ts"
export { type Command, decide } from "../charges/rules/decide.ts"
export { checkIssue, issueExpiry, newCharge } from "../charges/rules/Issue.ts"
export { isAmountDueOn } from "../charges/rules/LateFees.ts"
export { refundFailedEvent } from "../charges/rules/refundFailedEvent.ts"
export type { Transition } from "../charges/rules/Transition.ts"
export { newestKey, ringSecret } from "../directory/KeyRing.ts"
export { ifNamed } from "../ports/Actor.ts"
export {
  type DebitOutcome,
  debitOutcomes,
  recurrenceActs,
  type RecurrencePlay,
  RecurrenceSimulator,
} from "../ports/RecurrenceSimulator.ts"
export type { ComparedPayment, ComparedSide, Comparison, Difference } from "../reconcile/Comparison.ts"
export type { ReconciledPeriod } from "../reconcile/reconcilePeriod.ts"
export type { AgeBucket, CountAndCents, DayFigures, Figures, HourFigures, TimeToPayment } from "../reports/Figures.ts"
export type { Story, StoryEntry } from "../reports/StoryEntry.ts"
export { afterFailure, allowedAtOnce, type BreakerRule, closedBreaker } from "../runtime/breaker/CircuitBreaker.ts"
export { Cache } from "../runtime/cache/Cache.ts"
export { delayMsAfter, nextDelayMs } from "../runtime/backOff.ts"
export { makeRecentMap } from "../runtime/cache/RecentMap.ts"
export { makeSingleFlight } from "../runtime/cache/SingleFlight.ts"
export { CausedError } from "../runtime/error/CausedError.ts"
export { hideCause } from "../runtime/error/hideCause.ts"
export { hasTag, isOfOurs } from "../runtime/error/isOfOurs.ts"
// Declarations of the packages' own errors name the class.
export { TaggedError, type TaggedErrorClass } from "../runtime/error/TaggedError.ts"
export { meansThisMachine, Pieces, plainPath, readUpTo, type RefusedBody } from "../runtime/exchange/index.ts"
export { parseRetryAfter } from "../runtime/exchange/parseRetryAfter.ts"
export { monotonicMs } from "../runtime/monotonicMs.ts"
export { closestName } from "../runtime/options/closestName.ts"
export { checkOptions, optionFlaw, type OptionRules } from "../runtime/options/optionFlaw.ts"
export {
  aFlag,
  aFunction,
  aList,
  anAdapter,
  anObject,
  aNumber,
  aText,
  hasMethods,
  oneOf,
  type OptionRule,
  required,
} from "../runtime/options/OptionRule.ts"
export { type Fields, type FieldsOf, unknownField } from "../runtime/options/unknownField.ts"
export { isLegible, legibleText } from "../runtime/storable/LegibleText.ts"
export { failureFacts, logFailure, paymentLabel, safeSpan } from "../runtime/telemetry/index.ts"
