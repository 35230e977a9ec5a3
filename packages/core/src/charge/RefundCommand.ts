import type { Cents } from "../money/Money.ts"
import type { Return } from "./Payment.ts"
import type { FinalRefundOutcome } from "./RefundOutcome.ts"

/** The commands to a payment whose money may go back, that of a charge or an exception. */
export type RefundCommand =
  /** Commits the refund, and that the first call for it is about to be made. */
  | { readonly _tag: "RequestRefund" }
  /** Commits that one more call for it is about to be made; changes nothing while too many calls have no answer. */
  | { readonly _tag: "CallRefund"; readonly refundId: string }
  | RefuseRefund
  | FinishRefund
  /** Records money that went back, whoever returned it. */
  | { readonly _tag: "RecordReturn"; readonly returned: Return }

/** One call for the refund was refused. That ends the refund unless another call may still be carried out. */
export interface RefuseRefund {
  readonly _tag: "RefuseRefund"
  readonly refundId: string
  /** When the call was begun. Epoch milliseconds. */
  readonly calledAt: number
  /** The processor's own words. */
  readonly reason: string
  /** Whether the payment was looked up since, or could not be for an hour; a refusal ends nothing before that. */
  readonly hasLooked: boolean
}

/** Commits how the refund ended, for good. */
export interface FinishRefund {
  readonly _tag: "FinishRefund"
  readonly refundId: string
  /** What it was to return. */
  readonly amountCents: Cents
  readonly outcome: FinalRefundOutcome
}
