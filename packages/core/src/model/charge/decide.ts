import * as Result from "effect/Result"
import type { LocalDate } from "../calendar/LocalDate.ts"
import type { ChargeCycle, Debit, DebitView } from "../cycle/Debit.ts"
import { decideDebit, type DebitTransition, refuseRetry, requestRetry } from "../cycle/decideDebit.ts"
import { findRetryObstacle } from "../cycle/retries.ts"
import {
  type CancelledBy,
  type CancelledCharge,
  type Charge,
  livePart,
  openPart,
  type PaidCharge,
  type PendingCharge,
  type RefundedCharge,
  type SettledCharge,
} from "./Charge.ts"
import { isSamePaymentId, type Payment, type Return, returnedCents, unknownReturns } from "./Payment.ts"
import { chargeRefundId } from "./Refund.ts"
import { about, clearChecks, type Refusal, stamp, stay, type Transition } from "./Transition.ts"
import type { ChargeNews, CycleNews } from "./chargeEvents.ts"
import { isOwnReturn } from "./PartialRefund.ts"
import { ChargeAlreadyPaid, ChargeCancelled, ChargeNotPaid } from "./chargeErrors.ts"
import { nextPaidCheckAt } from "./checkSchedule.ts"
import { type ChangeCommand, decideChange } from "./decideChange.ts"
import { decidePartialRefund, namedPart } from "./decidePartialRefund.ts"
import {
  decideRefund,
  isWhollyReturned,
  keptReason,
  type RefundCommand,
  type RefundObstacle,
  type RefundStep,
  requestRefund,
} from "./decideRefund.ts"
import { ChargePartlyReturned, RefundWindowClosed } from "./paymentErrors.ts"

export type Command =
  | { readonly _tag: "ConfirmPayment"; readonly payment: Payment }
  | { readonly _tag: "ExpectRemoval" }
  | { readonly _tag: "Cancel"; readonly by: CancelledBy }
  | { readonly _tag: "RecordExpiry" }
  | ChangeCommand
  | CycleCommand
  | RefundCommand

/** Total and pure. */
export const decide = (charge: Charge, command: Command, now: number): Result.Result<Transition, Refusal> => {
  switch (command._tag) {
    case "ConfirmPayment":
      return Result.succeed(confirmPayment(charge, command.payment, now))
    case "ExpectRemoval":
      return Result.succeed(expectRemoval(charge, now))
    case "Cancel":
      return cancel(charge, command.by, now)
    case "RecordExpiry":
      return Result.succeed(recordExpiry(charge, now))
    case "FinishChange":
    case "RecordTerms":
      return Result.succeed(decideChange(charge, command, now))
    case "RecordDebit":
    case "RequestRetry":
    case "RecordRetryRefusal":
      return Result.succeed(decideCycle(charge, command, now))
    default:
      return decideChargeRefund(charge, command, now)
  }
}

/** The first payment settles a pending charge. Further payments are only recorded (decision 31). */
const confirmPayment = (charge: Charge, payment: Payment, now: number): Transition => {
  if (charge._tag === "Pending") {
    const returns = charge.returns.filter(({ endToEndId }) => endToEndId === payment.endToEndId)
    const next: PaidCharge = { ...clearChecks(charge), ...stamp(charge, now), _tag: "Paid", payment, returns }
    const paid: ChargeNews = { kind: "paid" }
    const news = returns.length === 0 ? [paid] : [paid, ...partNews(next, returns)]
    return { next, payments: [payment], returns: [], news }
  }
  const isSettling = charge._tag !== "Cancelled" && isSamePaymentId(charge.payment.endToEndId, payment.endToEndId)
  return isSettling ? stay : { payments: [payment], returns: [] }
}

export const removalCheckMs = 60_000

/** This check finds the removal after a crash. Earlier reads can't replace it. */
const expectRemoval = (charge: Charge, now: number): Transition =>
  charge._tag === "Pending"
    ? { ...stay, next: { ...clearChecks(charge), ...stamp(charge, now), checkAt: now + removalCheckMs } }
    : stay

/** A removal by the bank after `expired` isn't published. */
const publishesCancellation = ({ cycle, expiryEventAt }: PendingCharge, by: CancelledBy): boolean =>
  cycle === undefined && (by !== "bank" || expiryEventAt === undefined)

/** The caller must have removed the charge at the processor. */
const cancel = (charge: Charge, by: CancelledBy, now: number): Result.Result<Transition, Refusal> => {
  switch (charge._tag) {
    case "Pending": {
      const next: CancelledCharge = {
        ...clearChecks(charge),
        ...stamp(charge, now),
        _tag: "Cancelled",
        cancelledAt: now,
        ...(charge.cycle === undefined && { cancelledBy: by }),
      }
      return Result.succeed({
        ...stay,
        next,
        ...(publishesCancellation(charge, by) && { news: [{ kind: "cancelled", by }] }),
      })
    }
    case "Cancelled":
      return Result.succeed(stay)
    default:
      return Result.fail(new ChargeAlreadyPaid(about(charge)))
  }
}

/** The caller has proof (`provesExpiry`) and has seen no payment. */
const recordExpiry = (charge: Charge, now: number): Transition =>
  charge._tag !== "Pending" || charge.cycle !== undefined || charge.expiryEventAt !== undefined
    ? stay
    : { ...stay, next: { ...charge, ...stamp(charge, now), expiryEventAt: now }, news: [{ kind: "expired" }] }

const decideChargeRefund = (charge: Charge, given: RefundCommand, now: number): Result.Result<Transition, Refusal> =>
  Result.map(decideMoney(charge, given, now), (transition) => addPartNews(charge, transition))

const partNews = (
  { payment: { endToEndId, amountCents }, partialRefunds }: SettledCharge,
  returns: ReadonlyArray<Return>,
): ReadonlyArray<ChargeNews> =>
  returns
    .filter((returned) => returned.endToEndId === endToEndId && returned.amountCents < amountCents)
    .map((returned): ChargeNews => {
      const key = partialRefunds?.find((part) => isOwnReturn(part, returned))?.key
      return { kind: "part-refunded", returned, ...(key !== undefined && { key }) }
    })

/** Stores hold parts back during a refund (decision 23). */
const addPartNews = (before: Charge, transition: Transition): Transition => {
  const { next, returns, news = [] } = transition
  if (next === undefined || !("payment" in next)) return transition
  const isEnd = before._tag === "Refunding" && next._tag !== "Refunding"
  const parts = partNews(next, isEnd ? next.returns : returns)
  return parts.length === 0 ? transition : { ...transition, news: [...parts, ...news] }
}

const decideMoney = (charge: Charge, given: RefundCommand, now: number): Result.Result<Transition, Refusal> => {
  const command = given._tag === "RequestRefund" ? requestRefund(keptReason(charge, given.reason)) : given
  if (charge._tag === "Pending" || charge._tag === "Cancelled") return decideUnpaid(charge, command)
  if (command._tag === "RecordReturn" && command.returned.endToEndId !== charge.payment.endToEndId) {
    return Result.succeed({ ...stay, returns: unknownReturns(charge.returns, command.returned) })
  }
  const { payment, returns } = charge
  const part = namedPart(charge, command)
  if (part !== undefined) return Result.succeed(decidePartialRefund(charge, part, command, now))
  if (command._tag === "RequestRefund" && charge._tag === "Paid" && openPart(charge, now) !== undefined) {
    return Result.fail(
      refusal(charge, { _tag: "PartlyReturned", returnedCents: returnedCents(payment.endToEndId, returns) }),
    )
  }
  const refundable = {
    payment,
    amountCents: payment.amountCents,
    returns,
    isReturned: isWhollyReturned(payment),
    attemptId: (attempt: number) => chargeRefundId(payment, attempt),
    // While a partial refund is under way, only its end can end the charge.
    state: charge._tag === "Refunded" || livePart(charge) !== undefined ? undefined : charge,
  }
  return Result.mapBoth(decideRefund(refundable, command, now), {
    onFailure: (obstacle) => refusal(charge, obstacle),
    onSuccess: (step) => transition(charge, step, now),
  })
}

const decideUnpaid = (
  charge: PendingCharge | CancelledCharge,
  command: RefundCommand,
): Result.Result<Transition, Refusal> => {
  if (command._tag === "RecordReturn") {
    return Result.succeed({ ...stay, returns: unknownReturns(charge.returns, command.returned) })
  }
  if (command._tag !== "RequestRefund") return Result.succeed(stay)
  return Result.fail(charge._tag === "Pending" ? new ChargeNotPaid(about(charge)) : new ChargeCancelled(about(charge)))
}

const refusal = ({ issuer, id }: SettledCharge, obstacle: RefundObstacle): Refusal =>
  obstacle._tag === "PartlyReturned"
    ? new ChargePartlyReturned({ issuer, id, returnedCents: obstacle.returnedCents })
    : new RefundWindowClosed({ issuer, id, closedAt: obstacle.closedAt })

const transition = (charge: SettledCharge, step: RefundStep, now: number): Transition => {
  const { returns } = step
  if (charge._tag === "Refunded" || step._tag === "Unchanged") return { ...stay, returns }
  const {
    failedRefund: _,
    refund: __,
    ...rest
  } = { failedRefund: undefined, refund: undefined, ...clearChecks(charge) }
  const next = { ...rest, ...stamp(charge, now), returns: [...charge.returns, ...returns] }
  switch (step._tag) {
    case "Recorded":
      return { ...stay, next: { ...charge, ...stamp(charge, now), returns: next.returns }, returns }
    case "Refunding": {
      const { refund, checkAt = charge.checkAt } = step
      return {
        ...stay,
        next: { ...next, _tag: "Refunding", refund, ...(checkAt !== undefined && { checkAt }) },
        ...(charge._tag === "Paid" && { unsent: "supersede" }),
      }
    }
    case "Failed": {
      const { failedRefund } = step
      const paid: PaidCharge = { ...next, _tag: "Paid", failedRefund }
      const checkAt = nextPaidCheckAt(paid, now)
      const { amountCents } = charge.payment
      const news: Transition["news"] = [{ kind: "refund-failed", refund: failedRefund, amountCents }]
      const failed = { ...paid, ...(checkAt !== undefined && { checkAt }) }
      return { ...stay, next: failed, returns, news, unsent: "restore" }
    }
    case "Refunded": {
      const { last, refund } = step
      const refunded: RefundedCharge = {
        ...next,
        _tag: "Refunded",
        refundedAt: last.returnedAt,
        ...(refund && { refund }),
      }
      return { ...stay, next: refunded, returns, news: [{ kind: "refunded" }], unsent: "supersede" }
    }
  }
}

export type CycleCommand =
  /** `isStopped`: the plan requests no further attempt. */
  | { readonly _tag: "RecordDebit"; readonly view: DebitView; readonly isStopped?: boolean }
  | { readonly _tag: "RequestRetry"; readonly on: LocalDate }
  | { readonly _tag: "RecordRetryRefusal"; readonly on: LocalDate }

type PendingCycle = PendingCharge & { readonly cycle: ChargeCycle; readonly debit: Debit }

const isPendingCycle = (charge: Charge): charge is PendingCycle =>
  charge._tag === "Pending" && charge.cycle !== undefined && charge.debit !== undefined

/** Total and pure. Changes only a cycle's pending charge. */
export const decideCycle = (charge: Charge, command: CycleCommand, now: number): Transition => {
  if (!isPendingCycle(charge)) return stay
  const { cycle, debit } = charge
  switch (command._tag) {
    case "RecordDebit":
      return recordDebit(charge, command, now)
    case "RequestRetry": {
      const isPossible = findRetryObstacle(cycle, debit, now, command.on) === undefined
      return isPossible ? moveDebit(charge, { next: requestRetry(debit, command.on) }, now) : stay
    }
    case "RecordRetryRefusal":
      return moveDebit(charge, refuseRetry(cycle, debit, command.on, now), now)
  }
}

const moveDebit = (charge: PendingCycle, { next: debit, news }: DebitTransition, now: number): Transition =>
  debit === undefined
    ? stay
    : { ...stay, next: { ...charge, ...stamp(charge, now), debit }, ...(news && { news: [news] }) }

const recordDebit = (
  charge: PendingCycle,
  { view, isStopped }: CycleCommand & { readonly _tag: "RecordDebit" },
  now: number,
): Transition => {
  const cycle =
    isStopped === true && charge.cycle.plannedRetryDays ? { ...charge.cycle, plannedRetryDays: [] } : charge.cycle
  const decided = decideDebit(cycle, charge.debit, view, now)
  if (decided.isCancelled !== true) return moveDebit(charge, decided, now)
  const moved = { ...charge, ...stamp(charge, now), debit: decided.next ?? charge.debit }
  const publication = view.by === "company" ? {} : { news: [cancelledNews(charge, view)] }
  return { ...stay, next: { ...clearChecks(moved), _tag: "Cancelled", cancelledAt: now }, ...publication }
}

const cancelledNews = ({ cycle }: PendingCycle, { by, code, attempts }: DebitView): CycleNews => ({
  kind: "payment-failed",
  reason: "cancelled",
  on: attempts.at(-1)?.on ?? cycle.settlesOn,
  ...(by !== undefined && { by }),
  ...(code !== undefined && { code }),
})
