import * as Result from "effect/Result"
import {
  ChargeAlreadyPaid,
  ChargeCancelled,
  ChargeConflict,
  ChargeExpired,
  ChargeNotPaid,
  ChargePartlyReturned,
  ChargeRefunded,
  ChargeRefunding,
  RefundWindowClosed,
} from "../errors.ts"
import type { RefundOutcome } from "../ports/PaymentProcessor.ts"
import type { Charge, PaidCharge, PendingCharge, Refund, RefundedCharge, RefundingCharge } from "./Charge.ts"
import { isExpired } from "./Charge.ts"
import type { ChargeRequest } from "./ChargeRequest.ts"
import { nextRefundCheckAt } from "./checkSchedule.ts"
import { type Payment, type Return, returnedCentsOf } from "./Payment.ts"
import type { EventKind } from "./PixEvent.ts"

/** What may be asked of a charge that exists. */
export type Command =
  | { readonly _tag: "ConfirmPayment"; readonly payment: Payment }
  | { readonly _tag: "RequestRefund" }
  | { readonly _tag: "FinishRefund"; readonly refundId: string; readonly outcome: FinalRefundOutcome }
  | { readonly _tag: "RecordReturn"; readonly returned: Return }
  | { readonly _tag: "Cancel" }

/** How a refund ended, for good. */
export type FinalRefundOutcome = Exclude<RefundOutcome, { readonly _tag: "Processing" }>

/** What a command changes: the move, the money facts to record whatever becomes of the move, and what is to be told. */
export interface Transition {
  /** Absent when the charge stays where it is. */
  readonly next?: Charge
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  /** Told once the move is committed. */
  readonly announce?: Exclude<EventKind, "test">
  /** What happens to a `paid` event that was not sent yet: not sent while the money goes back, waiting again if it stays. */
  readonly unsent?: "supersede" | "restore"
}

/** Why a command can't be carried out on the charge as it is. */
export type Refusal = ChargeAlreadyPaid | ChargeCancelled | ChargeNotPaid | ChargePartlyReturned | RefundWindowClosed

/** The central bank allows a return until 90 days after the payment (API Pix, `devolucao`). */
export const refundWindowMs = 90 * 24 * 3_600 * 1_000

const stay: Transition = { payments: [], returns: [] }

/**
 * The refund's id follows from the charge and the attempt (design §2). It has the 35 characters of `[a-zA-Z0-9]` that API
 * Pix allows up to the 99th attempt; a processor that refused so often will refuse the longer id too.
 */
export const refundIdOf = (charge: Pick<Charge, "txid">, attempt: number): string => `${charge.txid}R${attempt}`

/** The rules of a charge's life: total and pure. The same charge, command and moment give the same answer, always. */
export const decide = (charge: Charge, command: Command, now: number): Result.Result<Transition, Refusal> => {
  switch (command._tag) {
    case "ConfirmPayment":
      return Result.succeed(confirmPayment(charge, command.payment, now))
    case "RequestRefund":
      return requestRefund(charge, now)
    case "FinishRefund":
      return Result.succeed(finishRefund(charge, command.refundId, command.outcome, now))
    case "RecordReturn":
      return Result.succeed(recordReturn(charge, command.returned, now))
    case "Cancel":
      return cancel(charge, now)
  }
}

// Errors name the charge and nothing else of it: a payer's data must not travel in one.
const about = ({ issuer, id }: Charge) => ({ issuer, id })

/** The charge one version on; whoever moves it says anew when it should be checked. */
const moved = <C extends Charge>({ checkAt: _, ...charge }: C) => charge

const stamp = (charge: Charge, now: number) => ({ version: charge.version + 1, updatedAt: now })

/** The first payment settles a pending charge; the same one again is nothing new, any other is recorded beside it (decision 31). */
const confirmPayment = (charge: Charge, payment: Payment, now: number): Transition => {
  if (charge._tag === "Pending") {
    const next: PaidCharge = { ...moved(charge), ...stamp(charge, now), _tag: "Paid", payment }
    return { next, payments: [payment], returns: [], announce: "paid" }
  }
  const isSettling = charge._tag !== "Cancelled" && charge.payment.endToEndId === payment.endToEndId
  return isSettling ? stay : { payments: [payment], returns: [] }
}

const requestRefund = (charge: Charge, now: number): Result.Result<Transition, Refusal> => {
  switch (charge._tag) {
    case "Pending":
      return Result.fail(new ChargeNotPaid(about(charge)))
    case "Cancelled":
      return Result.fail(new ChargeCancelled(about(charge)))
    case "Refunding":
    case "Refunded":
      return Result.succeed(stay)
    case "Paid":
      return beginRefund(charge, now)
  }
}

const beginRefund = (charge: PaidCharge, now: number): Result.Result<Transition, Refusal> => {
  const { issuer, id } = charge
  const returnedCents = returnedCentsOf(charge.payment.endToEndId, charge.returns)
  if (returnedCents > 0) return Result.fail(new ChargePartlyReturned({ issuer, id, returnedCents }))
  const closedAt = charge.payment.paidAt + refundWindowMs
  if (now > closedAt) return Result.fail(new RefundWindowClosed({ issuer, id, closedAt }))
  const attempt = (charge.failedRefund?.attempt ?? 0) + 1
  const refund = { id: refundIdOf(charge, attempt), attempt, requestedAt: now }
  const { failedRefund: _, ...paid } = moved(charge)
  const next: RefundingCharge = {
    ...paid,
    ...stamp(charge, now),
    _tag: "Refunding",
    refund,
    checkAt: nextRefundCheckAt(refund, now),
  }
  return Result.succeed({ next, payments: [], returns: [], unsent: "supersede" })
}

const finishRefund = (charge: Charge, refundId: string, outcome: FinalRefundOutcome, now: number): Transition => {
  if (charge._tag !== "Refunding" || charge.refund.id !== refundId) return stay
  if (outcome._tag === "Returned") {
    const row: Return = {
      issuer: charge.issuer,
      id: refundId,
      endToEndId: charge.payment.endToEndId,
      kind: "refund",
      amountCents: charge.payment.amountCents,
      returnedAt: outcome.returnedAt,
    }
    return refunded(charge, unknownOf(charge, row), outcome.returnedAt, now, charge.refund)
  }
  // What went back outside meanwhile may be the whole of it, and the very reason why the processor refused ours.
  if (isWhollyReturned(charge, charge.returns)) {
    return refunded(charge, [], lastMomentOf(charge.returns), now)
  }
  const { refund, ...paid } = moved(charge)
  const next: PaidCharge = {
    ...paid,
    ...stamp(charge, now),
    _tag: "Paid",
    failedRefund: { ...refund, reason: outcome.reason },
  }
  return { next, payments: [], returns: [], unsent: "restore" }
}

/**
 * A return made elsewhere counts as soon as it is known; once all is back, a paid charge is refunded. Each new return of
 * the settling payment moves the version on, so that two halves recorded at once can't both miss the whole.
 */
const recordReturn = (charge: Charge, returned: Return, now: number): Transition => {
  const isSettling =
    (charge._tag === "Paid" || charge._tag === "Refunding") && charge.payment.endToEndId === returned.endToEndId
  if (!isSettling) return { payments: [], returns: [returned] }
  if (charge._tag === "Refunding" && returned.id === charge.refund.id) {
    return finishRefund(charge, returned.id, { _tag: "Returned", returnedAt: returned.returnedAt }, now)
  }
  const fresh = unknownOf(charge, returned)
  const returns = [...charge.returns, ...fresh]
  // Also for a return that is known: a commit that came too late to move the charge recorded it all the same.
  if (charge._tag === "Paid" && isWhollyReturned(charge, returns)) {
    return refunded(charge, fresh, lastMomentOf(returns), now)
  }
  return fresh.length === 0
    ? stay
    : { next: { ...charge, ...stamp(charge, now), returns }, payments: [], returns: fresh }
}

/** The return alone, or nothing if the charge has it. */
const unknownOf = (charge: Charge, returned: Return): ReadonlyArray<Return> =>
  charge.returns.some(({ id }) => id === returned.id) ? [] : [returned]

const isWhollyReturned = (charge: PaidCharge | RefundingCharge, returns: ReadonlyArray<Return>): boolean =>
  returnedCentsOf(charge.payment.endToEndId, returns) >= charge.payment.amountCents

const lastMomentOf = (returns: ReadonlyArray<Return>): number =>
  returns.reduce((last, { returnedAt }) => Math.max(last, returnedAt), 0)

const refunded = (
  charge: PaidCharge | RefundingCharge,
  fresh: ReadonlyArray<Return>,
  refundedAt: number,
  now: number,
  refund?: Refund,
): Transition => {
  const { failedRefund: _, refund: __, ...rest } = { failedRefund: undefined, refund: undefined, ...moved(charge) }
  const next: RefundedCharge = {
    ...rest,
    ...stamp(charge, now),
    _tag: "Refunded",
    returns: [...charge.returns, ...fresh],
    refundedAt,
    ...(refund && { refund }),
  }
  return { next, payments: [], returns: fresh, announce: "refunded", unsent: "supersede" }
}

/** Only a pending charge can be cancelled; the processor's own charge must be gone before. */
const cancel = (charge: Charge, now: number): Result.Result<Transition, Refusal> => {
  switch (charge._tag) {
    case "Pending":
      return Result.succeed({
        ...stay,
        next: { ...moved(charge), ...stamp(charge, now), _tag: "Cancelled", cancelledAt: now },
      })
    case "Cancelled":
      return Result.succeed(stay)
    default:
      return Result.fail(new ChargeAlreadyPaid(about(charge)))
  }
}

/** The charge that a repeated request finds again, still good for its first answer. */
export type IssuedCharge = PendingCharge | PaidCharge

/** Why a repeated request can't be given its first answer again. */
export type RepeatRefusal = ChargeConflict | ChargeExpired | ChargeCancelled | ChargeRefunding | ChargeRefunded

/**
 * A repeated request gets its first answer while the charge is payable or paid. "The same" is judged on meaning (cents,
 * due date, payer), never on bytes, and a dead code is never handed out as if it were new (decision 11).
 */
export const decideRepeat = (
  charge: Charge,
  request: ChargeRequest,
  now: number,
): Result.Result<IssuedCharge, RepeatRefusal> => {
  if (!isSameMeaning(charge, request)) return Result.fail(new ChargeConflict(about(charge)))
  if (isExpired(charge, now)) return Result.fail(new ChargeExpired(about(charge)))
  switch (charge._tag) {
    case "Pending":
    case "Paid":
      return Result.succeed(charge)
    case "Cancelled":
      return Result.fail(new ChargeCancelled(about(charge)))
    case "Refunding":
      return Result.fail(new ChargeRefunding(about(charge)))
    case "Refunded":
      return Result.fail(new ChargeRefunded(about(charge)))
  }
}

const isSameMeaning = (charge: Charge, request: ChargeRequest): boolean =>
  charge.amountCents === request.amountCents &&
  charge.dueDate === request.dueDate &&
  // Once the payer was erased nobody can tell any more, and a repeat must not become a conflict.
  (charge.payerErasedAt !== undefined ||
    (charge.payer?.taxId === request.payer?.taxId && charge.payer?.name === request.payer?.name))
