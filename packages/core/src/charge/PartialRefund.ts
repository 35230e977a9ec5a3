import * as Result from "effect/Result"
import { TaggedError } from "../error/TaggedError.ts"
import { type Cents, isChargeCents } from "../money/Money.ts"
import type { Charge, PaidCharge, RefundedCharge, RefundingCharge } from "./Charge.ts"
import { type Return, returnedCents } from "./Payment.ts"
import { type FailedRefund, mayStillBeCarriedOut, type Refund } from "./Refund.ts"

/** A part of a charge's payment that is to go back; the charge stays paid (decision 50). */
export interface PartialRefund {
  /** The host's name for it, unique for its charge: the same key returns money once. */
  readonly key: string
  readonly amountCents: Cents
  /** When it was first asked for. Epoch milliseconds. */
  readonly requestedAt: number
  /** The last attempt. Once the payment has a return with its id, the part is returned. */
  readonly refund: Refund
  /** Why the processor did not carry that attempt out, in its own words; absent unless it failed. */
  readonly rejection?: string
}

/** Where a partial refund stands. */
export type PartialRefundStatus = "refunding" | "returned" | "failed"

/** A charge that has its payment. */
export type SettledCharge = PaidCharge | RefundingCharge | RefundedCharge

/** What a host asks for. */
export interface PartialRefundRequest {
  readonly key: string
  readonly amountCents: Cents
}

/** The same in plain values. */
export interface PartialRefundInput {
  /** 1 to 100 visible ASCII characters without spaces: the caller's own name for this refund, such as a UUID. */
  readonly key: string
  /** Integer cents of reais. */
  readonly amountCents: number
}

const rules: Record<keyof PartialRefundInput, string> = {
  key: "must have 1 to 100 visible ASCII characters and no space, like a UUID",
  amountCents: "must be a whole number of centavos from 1 to 999999999999: 1990 is R$ 19,90",
}

/**
 * A field of a partial refund breaks its rule.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No: with a corrected request.
 */
export class InvalidPartialRefund extends TaggedError("InvalidPartialRefund")<{
  readonly field: keyof PartialRefundInput
}> {
  override get message(): string {
    return `The partial refund's ${this.field} ${rules[this.field]}.`
  }
}

const keyForm = /^[\x21-\x7e]{1,100}$/

/** Checks what is asked for, the first wrong field named. */
export const parsePartialRefund = (
  input: PartialRefundInput,
): Result.Result<PartialRefundRequest, InvalidPartialRefund> => {
  const { key, amountCents } = Object(input) as PartialRefundInput
  if (typeof key !== "string" || !keyForm.test(key)) return Result.fail(new InvalidPartialRefund({ field: "key" }))
  if (!isChargeCents(amountCents)) return Result.fail(new InvalidPartialRefund({ field: "amountCents" }))
  return Result.succeed({ key, amountCents })
}

/** Two digits of base 36. */
export const mostAttempts = 36 ** 2 - 1

/**
 * The id of the charge's n-th attempt at a partial refund, from 1, whichever part it is for. It has at most the 35 characters of
 * `[a-zA-Z0-9]` that API Pix allows, and no two differ only by case.
 */
export const partialRefundId = ({ txid }: Pick<Charge, "txid">, attempt: number): string =>
  `${txid}P${attempt.toString(36)}`

/** Where the part stands, by what went back. */
export const partialRefundStatus = (
  { refund, rejection }: PartialRefund,
  returns: ReadonlyArray<Return>,
): PartialRefundStatus => {
  if (returns.some(({ id }) => id === refund.id)) return "returned"
  return rejection === undefined ? "refunding" : "failed"
}

/** The parts of a charge that have not gone back, under way or failed. */
const unreturned = ({ partialRefunds = [], returns }: Charge): ReadonlyArray<PartialRefund> =>
  partialRefunds.filter((part) => partialRefundStatus(part, returns) !== "returned")

/** The part that is under way: one at most. */
export const livePart = (charge: Charge): PartialRefund | undefined =>
  unreturned(charge).find(({ rejection }) => rejection === undefined)

/** The part that may still return money at this moment: the one under way, or one of whose calls nobody knows what became. */
export const openPart = (charge: Charge, now: number): PartialRefund | undefined =>
  unreturned(charge).find(({ refund, rejection }) => rejection === undefined || mayStillBeCarriedOut(refund, now))

/** The refunds of a paid charge that failed and may not have: a call for them has no answer. */
export const unsettledFailures = (charge: PaidCharge): ReadonlyArray<Refund> =>
  [charge.failedRefund, ...unreturned(charge).map(({ refund }) => refund)].filter(
    (refund): refund is Refund => refund?.unanswered !== undefined,
  )

/** The refund of a part that failed, with the reason. */
export const failedPart = ({ refund, rejection: reason }: PartialRefund): FailedRefund | undefined =>
  reason === undefined ? undefined : { ...refund, reason }

/** The part in the list: in its place if it was there, and else at the end. */
export const withPart = (
  parts: ReadonlyArray<PartialRefund> | undefined,
  part: PartialRefund,
): ReadonlyArray<PartialRefund> =>
  [...(parts ?? []).filter(({ key }) => key !== part.key), part].toSorted(
    (a, b) => a.requestedAt - b.requestedAt || (a.key < b.key ? -1 : 1),
  )

/** What of the payment can still be asked back at this moment: what was paid, less what went back or may be on its way. */
export const refundableCents = (charge: Charge, now: number): number => {
  if (charge._tag !== "Paid") return 0
  const { payment, returns, failedRefund } = charge
  if (failedRefund !== undefined && mayStillBeCarriedOut(failedRefund, now)) return 0
  const onItsWay = openPart(charge, now)?.amountCents ?? 0
  return Math.max(0, payment.amountCents - returnedCents(payment.endToEndId, returns) - onItsWay)
}
