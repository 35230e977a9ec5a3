import { brasiliaDate, endOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { addDays } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import type { Payment, Return } from "./Payment.ts"
import { sha256 } from "./sha256.ts"

/** A return of a payment that we ordered. Its id follows from payment and attempt: the same call twice returns the money once. */
export interface Refund {
  /** At the processor (`devolucao.id`). */
  readonly id: string
  /** From 1. */
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly requestedAt: number
  /**
   * When the calls that have no answer were begun, oldest first. They are under way, or their answer was lost and the
   * processor may still carry them out. Absent when there are none; empty when the refund was requested again after it had
   * failed, and has not been called for since. Epoch milliseconds.
   */
  readonly unanswered?: ReadonlyArray<number>
  /** Why the company returns the money: a text that the payer's bank may show. Absent where none was given, and once the payer was erased. */
  readonly reason?: string
}

/** A refund that the processor did not carry out. */
export interface FailedRefund extends Refund {
  /** Why, in the processor's own words. */
  readonly rejection: string
}

/**
 * The last moment of the 90th day after a payment's own, in Brasília: the central bank counts days, not hours (API Pix, `devolucao`).
 * Both in epoch milliseconds.
 */
export const refundableUntil = (paidAt: number): number => endOfBrasiliaDay(addDays(brasiliaDate(paidAt), 90))

/** After this time a call that the processor has not carried out counts as lost. */
export const unansweredForMs = 3_600_000

/**
 * For this time after a call that has no answer, in milliseconds (a day), a refused refund may still be carried out: no
 * charge adopts its payment before (`ChargeStore.commit`), and no other refund of the payment begins.
 */
export const lateRefundMs = 86_400_000

/** Whether a refund that failed may be carried out all the same. */
export const mayStillBeCarriedOut = ({ unanswered = [] }: Refund, now: number): boolean =>
  unanswered.some((calledAt) => calledAt >= now - lateRefundMs)

/** Bounds the list, and the calls, when a processor answers nothing for days. */
const maxUnanswered = 16

/** In both directions: a call in the far future was recorded by a clock that ran ahead. */
const isOld = (calledAt: number, now: number): boolean => Math.abs(now - calledAt) >= unansweredForMs

/**
 * The refund with one more call recorded, at a time that no other call has; undefined while too many have no answer. Only
 * old calls are ever dropped, and one of them stays, for which a refund that failed is looked at on: a dropped call could be carried out
 * after the refusal of all others has ended the refund.
 */
export const withCall = (refund: Refund, now: number): Refund | undefined => {
  const { unanswered = [] } = refund
  const oldest = unanswered.find((calledAt) => isOld(calledAt, now))
  const kept =
    unanswered.length < maxUnanswered
      ? unanswered
      : unanswered.filter((calledAt) => calledAt === oldest || !isOld(calledAt, now))
  if (kept.length >= maxUnanswered) return undefined
  let calledAt = now
  while (kept.includes(calledAt)) calledAt += 1
  return { ...refund, unanswered: [...kept, calledAt] }
}

/** The refund without the call that was begun then: it has its answer. */
export const withoutCall = ({ unanswered = [], ...refund }: Refund, calledAt: number): Refund => {
  const rest = unanswered.filter((one) => one !== calledAt)
  return rest.length === 0 ? refund : { ...refund, unanswered: rest }
}

/** The refund without calls: once the processor has its outcome on record, none of them can change anything. */
export const withoutCalls = ({ unanswered: _, ...refund }: Refund): Refund => refund

/** Whether a refusal ends the refund: no other call for it may still be carried out. */
export const isRefusalFinal = ({ unanswered = [] }: Refund, now: number): boolean =>
  unanswered.every((calledAt) => isOld(calledAt, now))

/** The n-th attempt, from 1. Its first call is recorded here, at `requestedAt`. */
export const newRefund = (
  attemptId: (attempt: number) => string,
  attempt: number,
  now: number,
  reason: string | undefined,
): Refund => ({
  id: attemptId(attempt),
  attempt,
  requestedAt: now,
  unanswered: [now],
  ...(reason !== undefined && { reason }),
})

/**
 * A refund that failed, requested again: under its id, because what the processor refused it may have carried out, and another
 * id could return the money twice. It is looked up at the processor first, and not called for until then. Its reason is the one
 * that is given now.
 */
export const sameRefund = (
  { rejection: _, reason: __, ...refund }: FailedRefund,
  now: number,
  reason: string | undefined,
): Refund => ({
  unanswered: [],
  ...refund,
  requestedAt: now,
  ...(reason !== undefined && { reason }),
})

/** Whether it was requested again and not called for since: a refusal that the processor has on record is the one that was told. */
export const isKnownToFail = ({ unanswered }: Refund): boolean => unanswered?.length === 0

/** When the refund's only call was begun, if it is the one recorded with the request. Epoch milliseconds. */
export const firstCallAt = ({ requestedAt, unanswered = [] }: Refund): number | undefined =>
  unanswered.length === 1 && unanswered[0] === requestedAt ? requestedAt : undefined

/** What the processor says of a refund. */
export type RefundOutcome =
  /**
   * `returnedAt` is in epoch milliseconds. `amountCents` is what went back under the id, which another call may have asked for
   * with other cents; absent: what was ordered.
   */
  | { readonly _tag: "Returned"; readonly returnedAt: number; readonly amountCents?: Cents }
  | { readonly _tag: "Processing" }
  /**
   * The processor refused. From `lookupRefund` that is final: the id is known there and will never return money. From
   * `refund` it ends the refund unless another call with the same id has no answer yet; core keeps account of those, and asks
   * again under the same id.
   */
  | { readonly _tag: "Rejected"; readonly reason: string }

/** How a refund ended, for good. */
export type FinalRefundOutcome = Exclude<RefundOutcome, { readonly _tag: "Processing" }>

// Ids of refunds at the processor (`devolucao.id`: 35 characters of `[a-zA-Z0-9]`). Each follows from facts that no lost
// commit and no restored backup takes back, so that a refund that is asked for again is the same one at the processor.

/** A refund's id is asked for several times over, from the search for its return to its answer. */
let lastHashed = { text: "", digits: "" }

const firstDigits = (text: string): string => {
  if (lastHashed.text !== text) lastHashed = { text, digits: sha256(text).slice(0, 30) }
  return lastHashed.digits
}

/** Of the n-th attempt, from 1, to return the part of a payment that was asked back under a key; up to the 1 679 615th. */
export const partialRefundId = ({ endToEndId }: Pick<Payment, "endToEndId">, key: string, attempt: number): string =>
  `${firstDigits(`${endToEndId.toLowerCase()} ${key}`)}P${attempt.toString(36)}`

/** The same of all of a charge's payment: no key of a part has a space. */
export const chargeRefundId = (payment: Pick<Payment, "endToEndId">, attempt: number): string =>
  partialRefundId(payment, "all of it", attempt)

/** The same of a payment that settled no charge, up to the 100th attempt. */
export const exceptionRefundId = ({ endToEndId }: Pick<Payment, "endToEndId">, attempt: number): string =>
  `${endToEndId}X${attempt - 1}`

/** What all attempts at one refund of a charge's payment have in common; of any other the whole id. Processors write ids in either case. */
const withoutAttempt = (id: string): string => id.toLowerCase().replace(/^([0-9a-f]{30}p)[0-9a-z]{1,4}$/, "$1")

/** Which attempt at its refund this id is of. */
export const attemptNumber = (id: string): number => Number.parseInt(id.slice(withoutAttempt(id).length), 36)

/** Whether two returns of one payment are attempts at the same refund, or the same return. */
export const isSameRefund = (a: Pick<Return, "id">, b: Pick<Return, "id">): boolean =>
  withoutAttempt(a.id) === withoutAttempt(b.id)

const chargeRefund = /^[0-9a-f]{30}p[0-9a-z]{1,4}$/

/** Whether we ordered the return as a refund of a charge, of all or of a part: its payment then settled the charge. */
export const isChargeRefund = ({ id }: Pick<Return, "id">): boolean => chargeRefund.test(id.toLowerCase())

/** Whether we ordered it as the refund of a payment that settled no charge. */
export const isExceptionRefund = ({ id, endToEndId }: Pick<Return, "id" | "endToEndId">): boolean =>
  !isChargeRefund({ id }) && ownRefundId(id, { endToEndId }) !== undefined

/**
 * The id of a refund of ours as we wrote it, of a return of this payment; undefined for a return that others made. A
 * processor may write it in another case.
 */
export const ownRefundId = (id: string, { endToEndId }: Pick<Payment, "endToEndId">): string | undefined => {
  const lower = id.toLowerCase()
  if (chargeRefund.test(lower)) return lower.replace("p", "P")
  const [, payment, attempt] = /^(.{32})x(\d+)$/.exec(lower) ?? []
  return payment === endToEndId.toLowerCase() ? `${endToEndId}X${attempt}` : undefined
}
