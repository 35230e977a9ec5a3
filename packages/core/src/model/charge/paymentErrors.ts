import { type Prose, TaggedError } from "../../runtime/error.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { AboutCharge } from "./chargeErrors.ts"

interface AboutPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
}

/**
 * The payment names no charge of ours and waits as an exception.
 *
 * @repeat No, because the payment is recorded.
 */
export class PaymentUnmatched extends TaggedError("PaymentUnmatched", {
  problem: "The payment's txid names no charge of the company; it is recorded as an exception.",
  remedy: "Refund or resolve it with `pix.exceptions`.",
})<AboutPayment> {}

/**
 * The endToEndId is recorded for another charge of this or another company, or its exception is resolved or being refunded.
 *
 * @repeat No.
 */
export class PaymentOfAnotherCharge extends TaggedError("PaymentOfAnotherCharge", {
  problem: ({ id }: AboutCharge) =>
    `endToEndId names a payment that is recorded for another charge than ${id}, or dealt with as an exception.`,
  remedy: "Check the endToEndId and the txid of the notice against the bank's statement.",
})<AboutCharge & { readonly endToEndId: string }> {}

/**
 * The payment belongs to another company with the same account, as its txid or that company's books show.
 *
 * @repeat No.
 */
export class PaymentOfAnotherCompany extends TaggedError("PaymentOfAnotherCompany", {
  problem: "endToEndId names a payment of another company, as its txid or that company's books show.",
  remedy:
    "Find out at the bank, by the payment's txid and PIX key, which company was paid; `pix.comparison` of both companies shows it.",
  hidden: ["endToEndId"],
})<AboutPayment> {}

/**
 * The company has no open payment exception with this endToEndId.
 *
 * @repeat No.
 */
export class ExceptionNotFound extends TaggedError("ExceptionNotFound", {
  problem: "The company has no payment exception with this endToEndId.",
  remedy: "List the open ones with `pix.exceptions.list`.",
  hidden: ["endToEndId"],
})<AboutPayment> {}

/**
 * The exception is closed; `state` says why: `Refunding`, `Refunded`, `Resolved`, `PartlyReturned` or `RefundWindowClosed`.
 *
 * @repeat No.
 */
export class ExceptionClosed extends TaggedError("ExceptionClosed", {
  problem: ({ state }: AboutPayment & { readonly state: string }) =>
    `The payment exception can't be acted on any more: its state is ${state}.`,
  remedy: "At the bank, return a payment that is partly returned or too old. The other states need no action.",
}) {}

/**
 * The processor refused to return the payment. Its exception stays open.
 *
 * @repeat Yes: a new refund is requested.
 */
export class ExceptionRefundRejected extends TaggedError("ExceptionRefundRejected", {
  problem: "The processor rejected the return of the payment, whose exception is open as before.",
  remedy: "Read the processor's reason with `Redacted.value(error.reason)`.",
})<AboutPayment & { readonly reason: Prose }> {}

/**
 * The processor declined to simulate the payment (sandbox).
 *
 * @repeat No, because it is declined each time.
 */
export class SimulationDeclined extends TaggedError("SimulationDeclined", {
  problem: ({ id }: AboutCharge) =>
    `The sandbox declined to pay charge ${id} because of its cents or the chosen outcome.`,
  remedy: "Issue a charge of another amount, or choose another outcome.",
}) {}

/**
 * Part of the payment went back or can be on its way back, so a full refund is impossible (decisions 18 and 50).
 *
 * @repeat Only if no part went back: once a partial refund that is under way has failed.
 */
export class ChargePartlyReturned extends TaggedError("ChargePartlyReturned", {
  problem: ({ id }: AboutCharge) =>
    `Part of the payment of charge ${id} went back or is on its way back, so it can't be returned in full.`,
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
 * The processor didn't carry out the refund. The charge stays paid.
 *
 * @repeat Yes: a new refund is requested.
 */
export class RefundRejected extends TaggedError("RefundRejected", {
  problem: ({ id }: AboutCharge) => `The processor rejected the refund of charge ${id}, which is paid as before.`,
  remedy: "Read the processor's reason with `Redacted.value(error.reason)`.",
})<AboutCharge & { readonly reason: Prose }> {}

type AboutPart = AboutCharge & { readonly key: string }

/**
 * Another partial refund has this key and another amount, in the books or at the bank (decision 50).
 *
 * @repeat No, only under another key.
 */
export class PartialRefundConflict extends TaggedError("PartialRefundConflict", {
  problem: ({ id }: AboutPart) => `A partial refund of charge ${id} has this key and another amount.`,
  remedy: "Give another refund a key of its own; to repeat the first one, give its cents.",
  hidden: ["key"],
}) {}

/**
 * Another partial refund of the charge is under way, or was refused while a call for it can still be carried out; `key`
 * names it (decision 50).
 *
 * @repeat Yes, once the other refund has ended: after a refusal, a day after its last unanswered call.
 */
export class PartialRefundUnderWay extends TaggedError("PartialRefundUnderWay", {
  problem: ({ id }: AboutPart) =>
    `Another partial refund of charge ${id} can still return money: \`error.key\` names it.`,
  remedy: "Repeat that refund under its key until it has ended, then make this call again.",
  hidden: ["key"],
}) {}

/**
 * Less is left of the payment than requested, because the rest went back already (decision 50).
 *
 * @repeat No, only for fewer cents.
 */
export class RefundExceedsRest extends TaggedError("RefundExceedsRest", {
  problem: ({ id, leftCents }: AboutCharge & { readonly leftCents: number }) =>
    `Of the payment of charge ${id} only ${leftCents} centavos are left to return.`,
  remedy: "Ask for `leftCents` at most.",
}) {}
