import type { Cents } from "../../money/Money.ts"
import type { Charge } from "./Charge.ts"
import type { Return } from "./Payment.ts"
import type { FinalRefundOutcome } from "./RefundOutcome.ts"

/** The commands to a payment whose money may go back, that of a charge or an exception. */
export type RefundCommand =
  /** Commits the refund, and that the first call for it is about to be made. */
  | RequestRefund
  | CallRefund
  | RefuseRefund
  | FinishRefund
  /** Records money that went back, by us or by others. */
  | { readonly _tag: "RecordReturn"; readonly returned: Return }

/** The first request of a refund counts, and of one that failed the last: a repeat changes no reason. */
export interface RequestRefund {
  readonly _tag: "RequestRefund"
  /** Why the company returns the money, as `parseRefundReason` returns it. */
  readonly reason?: string
}

/** The reason, unless the payer whom it may name was erased: none is kept of such a charge, nor sent. */
export const keptReason = ({ payerErasedAt }: Pick<Charge, "payerErasedAt">, reason: string | undefined) =>
  payerErasedAt === undefined ? reason : undefined

/** The command, with the reason if there is one. */
export const requestRefund = (reason: string | undefined): RequestRefund => ({
  _tag: "RequestRefund",
  ...(reason !== undefined && { reason }),
})

/** Commits that one more call for it is about to be made; changes nothing while too many calls have no answer. */
export interface CallRefund {
  readonly _tag: "CallRefund"
  readonly refundId: string
  /** The processor has the id on record as refused: the call is the next attempt's. */
  readonly isRefused?: true
}

/** One call for the refund was refused. That ends the refund unless another call may still be carried out. */
export interface RefuseRefund {
  readonly _tag: "RefuseRefund"
  readonly refundId: string
  /** When the call was begun. Epoch milliseconds. */
  readonly calledAt: number
  /** The processor's own words. */
  readonly reason: string
  /** Whether the processor has shown the payment since, or has not for an hour; a refusal ends nothing before that. */
  readonly hasLooked: boolean
}

/** Commits how the refund ended, for good. */
export interface FinishRefund {
  readonly _tag: "FinishRefund"
  readonly refundId: string
  /** What it returned, or was to return. */
  readonly amountCents: Cents
  readonly outcome: FinalRefundOutcome
}
