import type { Cents } from "../money/Money.ts"
import type { Txid } from "./ChargeId.ts"
import { isSameReturn, type Return } from "./Payment.ts"
import type { FailedRefund, Refund } from "./Refund.ts"

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

/** Two digits of base 36. */
export const mostAttempts = 36 ** 2 - 1

/**
 * The id of the charge's n-th attempt at a partial refund, from 1, whichever part it is for. It has at most the 35 characters of
 * `[a-zA-Z0-9]` that API Pix allows, and no two differ only by case.
 */
export const partialRefundId = ({ txid }: { readonly txid: Txid }, attempt: number): string =>
  `${txid}P${attempt.toString(36)}`

/** Where the part stands, by what went back. */
export const partialRefundStatus = (
  { refund, rejection }: PartialRefund,
  returns: ReadonlyArray<Return>,
): PartialRefundStatus => {
  if (returns.some((returned) => isSameReturn(returned, refund))) return "returned"
  return rejection === undefined ? "refunding" : "failed"
}

/** The refund of a part that failed, with the reason. */
export const failedPart = ({ refund, rejection: reason }: PartialRefund): FailedRefund | undefined =>
  reason === undefined ? undefined : { ...refund, reason }

/** The list with the part, in the order in which parts were asked for. */
export const withPart = (
  parts: ReadonlyArray<PartialRefund> | undefined,
  part: PartialRefund,
): ReadonlyArray<PartialRefund> =>
  [...(parts ?? []).filter(({ key }) => key !== part.key), part].toSorted(
    (a, b) => a.requestedAt - b.requestedAt || (a.key < b.key ? -1 : 1),
  )
