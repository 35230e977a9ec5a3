/** What the processor says of a refund. */
export type RefundOutcome =
  | { readonly _tag: "Returned"; readonly returnedAt: number }
  | { readonly _tag: "Processing" }
  /**
   * The processor refused. From `lookupRefund` it is final: the id is known there and will never return money. From
   * `refund` it is final unless another call with the same id is still without an answer, which core keeps account of.
   */
  | { readonly _tag: "Rejected"; readonly reason: string }

/** How a refund ended, for good. */
export type FinalRefundOutcome = Exclude<RefundOutcome, { readonly _tag: "Processing" }>
