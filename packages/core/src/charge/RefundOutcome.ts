/** What the processor says of a refund. */
export type RefundOutcome =
  /** `returnedAt` is in epoch milliseconds. */
  | { readonly _tag: "Returned"; readonly returnedAt: number }
  | { readonly _tag: "Processing" }
  /**
   * The processor refused. From `lookupRefund` that is final: the id is known there and will never return money. From
   * `refund` it is final unless another call with the same id has no answer yet; core keeps account of those.
   */
  | { readonly _tag: "Rejected"; readonly reason: string }

/** How a refund ended, for good. */
export type FinalRefundOutcome = Exclude<RefundOutcome, { readonly _tag: "Processing" }>
