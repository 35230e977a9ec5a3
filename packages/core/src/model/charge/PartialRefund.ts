import type { Cents } from "../money/Money.ts"
import type { Return } from "./Payment.ts"
import { type FailedRefund, isSameRefund, type Refund } from "./Refund.ts"

/** A part of a charge's payment that is to go back; the charge stays paid (decision 50). */
export interface PartialRefund {
  /** The host's name for it, unique for its charge: the same key returns money once. */
  readonly key: string
  readonly amountCents: Cents
  /** When it was first asked for. Epoch milliseconds. */
  readonly requestedAt: number
  /** The last attempt. */
  readonly refund: Refund
  /** Why the processor did not carry that attempt out, in its own words; absent unless it failed. */
  readonly rejection?: string
}

/** Where a partial refund stands. */
export type PartialRefundStatus = "refunding" | "returned" | "failed"

/** Whether the return is the part's: an attempt at it, of its cents. */
export const isOwnReturn = ({ refund, amountCents }: PartialRefund, returned: Return): boolean =>
  returned.amountCents === amountCents && isSameRefund(returned, refund)

/** Where the part stands, by what went back. */
export const partialRefundStatus = (part: PartialRefund, returns: ReadonlyArray<Return>): PartialRefundStatus => {
  if (returns.some((returned) => isOwnReturn(part, returned))) return "returned"
  return part.rejection === undefined ? "refunding" : "failed"
}

/** The refund of a part that failed, with the processor's words. */
export const failedPart = ({ refund, rejection }: PartialRefund): FailedRefund | undefined =>
  rejection === undefined ? undefined : { ...refund, rejection }

/** The list with the part, in the order in which parts were asked for. */
export const withPart = (
  parts: ReadonlyArray<PartialRefund> | undefined,
  part: PartialRefund,
): ReadonlyArray<PartialRefund> =>
  [...(parts ?? []).filter(({ key }) => key !== part.key), part].toSorted(
    (a, b) => a.requestedAt - b.requestedAt || (a.key < b.key ? -1 : 1),
  )
