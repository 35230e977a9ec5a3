import { brasiliaDate, endOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { addDays } from "../calendar/LocalDate.ts"
import type { Cents } from "../money/Money.ts"
import type { Payment, Return } from "./Payment.ts"
import { sha256 } from "./sha256.ts"

/** A return that we requested. Its id is computed from payment and attempt: a repeated call returns the money once. */
export interface Refund {
  /** The id at the processor (`devolucao.id`). */
  readonly id: string
  /** Counted from 1. */
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly requestedAt: number
  /**
   * When the unanswered calls began, oldest first, in epoch milliseconds. The processor can still run these calls. Absent
   * without such calls; empty if a failed refund was requested again and not called since.
   */
  readonly unanswered?: ReadonlyArray<number>
  /** The company's reason, which the payer's bank can show. Removed by the payer's erasure. */
  readonly reason?: string
}

export interface FailedRefund extends Refund {
  /** The reason that the processor gives, in its words. */
  readonly rejection: string
}

/** The end in Brasília of the 90th day after the payment's day (API Pix, `devolucao`), in epoch milliseconds. */
export const refundableUntil = (paidAt: number): number => endOfBrasiliaDay(addDays(brasiliaDate(paidAt), 90))

/** An unanswered call can be under way for an hour. Milliseconds. */
export const unansweredForMs = 3_600_000

/**
 * A day after an unanswered call, a refused refund can't be carried out any more. Milliseconds. Until then no charge adopts the
 * payment (`ChargeStore.commit`), and no other refund of the payment begins.
 */
export const lateRefundMs = 86_400_000

export const mayStillBeCarriedOut = ({ unanswered = [] }: Refund, now: number): boolean =>
  unanswered.some((calledAt) => calledAt >= now - lateRefundMs)

/** Bounds the record if a processor doesn't answer for days. */
const maxUnanswered = 16

/** A clock that ran ahead can have recorded a call in the future. */
const isOld = (calledAt: number, now: number): boolean => Math.abs(now - calledAt) >= unansweredForMs

/**
 * Adds a call; undefined while too many are unanswered. A full list drops its old calls except the first: a failed
 * refund is still checked.
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

export const withoutCall = ({ unanswered = [], ...refund }: Refund, calledAt: number): Refund => {
  const rest = unanswered.filter((one) => one !== calledAt)
  return rest.length === 0 ? refund : { ...refund, unanswered: rest }
}

/** Unanswered calls can't change a recorded outcome. */
export const withoutCalls = ({ unanswered: _, ...refund }: Refund): Refund => refund

/** A refusal ends the refund unless another call is under way. */
export const isRefusalFinal = ({ unanswered = [] }: Refund, now: number): boolean =>
  unanswered.every((calledAt) => isOld(calledAt, now))

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

/** Keeps the id, because another id could return the money twice. A look-up comes before any call. */
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

/** Whether the refund was requested again and not called since. Its recorded refusal is already published. */
export const isRequestedAgain = ({ unanswered }: Refund): boolean => unanswered?.length === 0

/** When the first call began, in epoch milliseconds; undefined if it is answered, or if others are unanswered, too. */
export const firstCallAt = ({ requestedAt, unanswered = [] }: Refund): number | undefined =>
  unanswered.length === 1 && unanswered[0] === requestedAt ? requestedAt : undefined

export type RefundOutcome =
  /**
   * `returnedAt` is in epoch milliseconds. `amountCents` is the amount returned under the id; absent: the requested amount.
   */
  | { readonly _tag: "Returned"; readonly returnedAt: number; readonly amountCents?: Cents }
  | { readonly _tag: "Processing" }
  /** Final from `lookupRefund`. From `refund` it ends the refund unless another call with the id is unanswered. */
  | { readonly _tag: "Rejected"; readonly reason: string }

export type FinalRefundOutcome = Exclude<RefundOutcome, { readonly _tag: "Processing" }>

// Ids (`devolucao.id`, 35 characters of `[a-zA-Z0-9]`) are computed from facts that survive lost commits and restored
// backups.

let lastHashed = { text: "", digits: "" }

const firstDigits = (text: string): string => {
  if (lastHashed.text !== text) lastHashed = { text, digits: sha256(text).slice(0, 30) }
  return lastHashed.digits
}

/** `attempt` is 1 to 1 679 615. */
export const partialRefundId = ({ endToEndId }: Pick<Payment, "endToEndId">, key: string, attempt: number): string =>
  `${firstDigits(`${endToEndId.toLowerCase()} ${key}`)}P${attempt.toString(36)}`

/** No partial refund has the key `all of it`, because keys contain no space. */
export const chargeRefundId = (payment: Pick<Payment, "endToEndId">, attempt: number): string =>
  partialRefundId(payment, "all of it", attempt)

/** `attempt` is 1 to 100. */
export const exceptionRefundId = ({ endToEndId }: Pick<Payment, "endToEndId">, attempt: number): string =>
  `${endToEndId}X${attempt - 1}`

/** The part of a charge refund's id that is the same for all attempts; any other id unchanged. */
const withoutAttempt = (id: string): string => id.toLowerCase().replace(/^([0-9a-f]{30}p)[0-9a-z]{1,4}$/, "$1")

export const attemptNumber = (id: string): number => Number.parseInt(id.slice(withoutAttempt(id).length), 36)

/** Whether two ids name one return, or attempts at one refund. */
export const isSameRefund = (a: Pick<Return, "id">, b: Pick<Return, "id">): boolean =>
  withoutAttempt(a.id) === withoutAttempt(b.id)

const chargeRefund = /^[0-9a-f]{30}p[0-9a-z]{1,4}$/

export const isChargeRefund = ({ id }: Pick<Return, "id">): boolean => chargeRefund.test(id.toLowerCase())

export const isExceptionRefund = ({ id, endToEndId }: Pick<Return, "id" | "endToEndId">): boolean =>
  !isChargeRefund({ id }) && ownRefundId(id, { endToEndId }) !== undefined

/** Our refund's id with capitals where we write them; undefined for a return that isn't our refund. */
export const ownRefundId = (id: string, { endToEndId }: Pick<Payment, "endToEndId">): string | undefined => {
  const lower = id.toLowerCase()
  if (chargeRefund.test(lower)) return lower.replace("p", "P")
  const [, payment, attempt] = /^(.{32})x(\d+)$/.exec(lower) ?? []
  return payment === endToEndId.toLowerCase() ? `${endToEndId}X${attempt}` : undefined
}
