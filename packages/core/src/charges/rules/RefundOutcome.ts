import type { Cents } from "../../money/Money.ts"

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
