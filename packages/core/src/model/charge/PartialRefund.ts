import type { Cents } from "../money/Money.ts"
import type { Return } from "./Payment.ts"
import { type FailedRefund, isSameRefund, type Refund } from "./Refund.ts"

/** The return of a part of a charge's payment; the charge stays paid (decision 50). */
export interface PartialRefund {
  /** The host's own name, unique within the charge. One key returns money once. */
  readonly key: string
  readonly amountCents: Cents
  /** The first request, in epoch milliseconds. */
  readonly requestedAt: number
  /** The last attempt. */
  readonly refund: Refund
  /** The processor's reason if the attempt failed. */
  readonly rejection?: string
}

export type PartialRefundStatus = "refunding" | "returned" | "failed"

export const isOwnReturn = ({ refund, amountCents }: PartialRefund, returned: Return): boolean =>
  returned.amountCents === amountCents && isSameRefund(returned, refund)

export const partialRefundStatus = (part: PartialRefund, returns: ReadonlyArray<Return>): PartialRefundStatus => {
  if (returns.some((returned) => isOwnReturn(part, returned))) return "returned"
  return part.rejection === undefined ? "refunding" : "failed"
}

export const failedPart = ({ refund, rejection }: PartialRefund): FailedRefund | undefined =>
  rejection === undefined ? undefined : { ...refund, rejection }

/** Adds or replaces the partial refund; keeps the oldest request first. */
export const withPart = (
  parts: ReadonlyArray<PartialRefund> | undefined,
  part: PartialRefund,
): ReadonlyArray<PartialRefund> =>
  [...(parts ?? []).filter(({ key }) => key !== part.key), part].toSorted(
    (a, b) => a.requestedAt - b.requestedAt || (a.key < b.key ? -1 : 1),
  )
