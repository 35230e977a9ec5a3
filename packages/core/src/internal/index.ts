// Exports for the packages of one release. They can change with any release.
export { receivedBy } from "../services/charges/Receivers.ts"
export type { MoveError } from "../services/charges/ChargeMoves.ts"
export type { InspectedPayment, ShownPayment } from "../services/charges/ReceivedPayments.ts"
export type { SimulationError } from "../services/charges/PaymentSimulation.ts"
export { chargeOrder } from "../services/charges/chargeOrder.ts"
export type { IssueResult } from "../services/charges/issueMany.ts"
export type { IssueError } from "../services/charges/PixCharges.ts"
export type { ChangedTerms } from "../services/charges/Changing.ts"
export type { BegunPartialRefund } from "../services/charges/ChargeRefunds.ts"
export { bookPayment } from "../model/charge/decideView.ts"
export { type Command, decide } from "../model/charge/decide.ts"
export { maxValiditySeconds } from "../model/charge/ChargeRequest.ts"
export { chargeRequestFields, payerFields } from "../model/charge/ChargeRequestInput.ts"
export { payableAtBankUntil } from "../model/charge/TermsRow.ts"
export { checkIssue, companyAtIssue, issueExpiry, newCharge } from "../model/charge/Issue.ts"
export { isAmountDueOn } from "../model/charge/LateFees.ts"
export { isEndToEndId } from "../model/charge/PaymentNotice.ts"
export { type ChargeNews, exceptionEvent, exceptionReturnedEvent, newsEvent } from "../model/charge/chargeEvents.ts"
export { requestPartialRefund } from "../model/charge/decidePartialRefund.ts"
export type { Transition } from "../model/charge/Transition.ts"
export { newestKey, ringSecret } from "../model/directory/KeyRing.ts"
export { lookForWork } from "../services/events/DueLooks.ts"
export { PublishedKinds } from "../services/events/PublishedKinds.ts"
export { ifNamed } from "../ports/AuditLog.ts"
export { wakesForMs } from "../ports/DueChecks.ts"
export { wakeIntervalMs } from "../ports/Reconciliations.ts"
export {
  type DebitOutcome,
  debitOutcomes,
  recurrenceActs,
  type RecurrencePlay,
  RecurrenceSimulator,
} from "../ports/PaymentSimulator.ts"
export type { ComparedPayment, ComparedSide, Comparison, Difference } from "../services/reconcile/Comparison.ts"
export type { ReconciledPeriod } from "../services/reconcile/reconcilePeriod.ts"
export type {
  AgeBucket,
  CountAndCents,
  DayFigures,
  Figures,
  HourFigures,
  TimeToPayment,
} from "../services/reports/Figures.ts"
export type { FoundPayment } from "../services/reports/findPayment.ts"
export type { Story, StoryEntry } from "../services/reports/StoryEntry.ts"
export {
  afterFailure,
  allowedAtOnce,
  type BreakerRule,
  closedBreaker,
  delayMsAfter,
  nextDelayMs,
} from "../runtime/breaker.ts"
export { Cache, makeSingleFlight } from "../runtime/cache.ts"
export { makeRecentMap } from "../runtime/RecentMap.ts"
export { addIso, type WithIso } from "../runtime/iso.ts"
export { CausedError, hideCause } from "../runtime/CausedError.ts"
// The type declarations of the packages' errors need `TaggedErrorClass`.
export { hasTag, isOfOurs, TaggedError, type TaggedErrorClass } from "../runtime/error.ts"
export { meansThisMachine, percentDecode, Pieces, plainPath, readUpTo, type RefusedBody } from "../runtime/exchange.ts"
export { parseRetryAfter } from "../runtime/parseRetryAfter.ts"
export { monotonicMs } from "../runtime/clock.ts"
export {
  checkOptions,
  closestName,
  type Fields,
  type FieldsOf,
  hasMethods,
  optionFlaw,
  type OptionRules,
  unknownField,
} from "../runtime/options.ts"
export {
  aFlag,
  aFunction,
  aList,
  anAdapter,
  anObject,
  aNumber,
  aText,
  oneOf,
  type OptionRule,
  required,
} from "../runtime/OptionRule.ts"
export { isLegible, legibleText } from "../runtime/storable.ts"
export { failureFacts, logFailure, paymentLabel, safeSpan } from "../runtime/telemetry.ts"
