import type { Prose } from "../../runtime/error/Prose.ts"
import { TaggedError } from "../../runtime/error/TaggedError.ts"
import type { AboutCharge } from "./chargeErrors.ts"

/**
 * Part of the payment went back already, or may be on its way back, so that a full refund is impossible (decisions 18 and 50).
 *
 * @repeat Only if no part went back: once a partial refund that is under way has failed.
 */
export class ChargePartlyReturned extends TaggedError("ChargePartlyReturned", {
  problem: ({ id }: AboutCharge) =>
    `Part of the payment of charge ${id} went back or is on its way back, so that it can't be returned in full.`,
  remedy: "Return the rest with `pix.refundPart`.",
})<AboutCharge & { readonly returnedCents: number }> {}

/**
 * The 90th day after the payment is over in Brasília: the central bank allows no return (API Pix, `devolucao`).
 *
 * @repeat No.
 */
export class RefundWindowClosed extends TaggedError("RefundWindowClosed", {
  problem: ({ id }: AboutCharge) => `Charge ${id} was paid too long ago to be returned as a refund.`,
  remedy: "Return the money by a payment of your own.",
})<AboutCharge & { readonly closedAt: number }> {}

/**
 * The processor did not carry the refund out; the charge is paid as before.
 *
 * @repeat Yes: a new refund is requested.
 */
export class RefundRejected extends TaggedError("RefundRejected", {
  problem: ({ id }: AboutCharge) => `The processor rejected the refund of charge ${id}, which is paid as before.`,
  remedy: "Read the processor's reason with `Redacted.value(error.reason)`.",
})<AboutCharge & { readonly reason: Prose }> {}

type AboutPart = AboutCharge & { readonly key: string }

/**
 * The key is taken by a partial refund of another amount, in the books or at the bank (decision 50).
 *
 * @repeat No: under another key.
 */
export class PartialRefundConflict extends TaggedError("PartialRefundConflict", {
  problem: ({ id }: AboutPart) => `A partial refund of charge ${id} has this key and another amount.`,
  remedy: "Give another refund a key of its own; to repeat the first one, give its cents.",
  hidden: ["key"],
}) {}

/**
 * Another partial refund of the charge is under way, or was refused while a call for it may still be carried out; `key` names
 * it. One at a time, for together they could exceed what was paid (decision 50).
 *
 * @repeat Yes, once the other one has ended: after a refusal, a day after its last call without an answer.
 */
export class PartialRefundUnderWay extends TaggedError("PartialRefundUnderWay", {
  problem: ({ id }: AboutPart) =>
    `Another partial refund of charge ${id} may still return money: \`error.key\` names it.`,
  remedy: "Repeat that one under its key until it has ended, then make this call again.",
  hidden: ["key"],
}) {}

/**
 * Less is left of the payment than is asked for: the rest went back already, by a refund or outside of here (decision 50).
 *
 * @repeat No: for fewer cents.
 */
export class RefundExceedsRest extends TaggedError("RefundExceedsRest", {
  problem: ({ id, leftCents }: AboutCharge & { readonly leftCents: number }) =>
    `Of the payment of charge ${id} only ${leftCents} centavos are left to return.`,
  remedy: "Ask for `leftCents` at most.",
}) {}
