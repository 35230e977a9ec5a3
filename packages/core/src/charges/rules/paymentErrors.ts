import type { Cnpj } from "../../party/Cnpj.ts"
import type { Prose } from "../../runtime/error/Prose.ts"
import { TaggedError } from "../../runtime/error/TaggedError.ts"
import type { AboutCharge } from "./chargeErrors.ts"

interface AboutPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
}

/**
 * The payment names no charge of ours. It is recorded as unmatched and waits as an exception: nothing is lost.
 *
 * @repeat No: the payment is recorded.
 */
export class PaymentUnmatched extends TaggedError("PaymentUnmatched", {
  problem: "The payment's txid names no charge of the company; it is recorded as an exception.",
  remedy: "Refund or resolve it with `pix.exceptions`.",
})<AboutPayment> {}

/**
 * The endToEndId is already recorded for another charge of the company, or of another company, or it was resolved or is being refunded
 * as an exception: it can't settle this charge.
 *
 * @repeat No.
 */
export class PaymentOfAnotherCharge extends TaggedError("PaymentOfAnotherCharge", {
  problem: ({ id }: AboutCharge) =>
    `endToEndId names a payment that is recorded for another charge than ${id}, or dealt with as an exception.`,
  remedy: "Check the endToEndId and the txid of the notice against the bank's statement.",
})<AboutCharge & { readonly endToEndId: string }> {}

/**
 * The payment is another company's, which shares an account with this one: by its txid, or because it is in that one's books.
 *
 * @repeat No.
 */
export class PaymentOfAnotherCompany extends TaggedError("PaymentOfAnotherCompany", {
  problem: "endToEndId names a payment of another company, by its txid or by that company's books.",
  remedy: "Check by its txid and PIX key at the bank whose payment it is; `pix.comparison` of both companies shows it.",
  hidden: ["endToEndId"],
})<AboutPayment> {}

/**
 * No open payment exception with this endToEndId.
 *
 * @repeat No.
 */
export class ExceptionNotFound extends TaggedError("ExceptionNotFound", {
  problem: "The company has no payment exception with this endToEndId.",
  remedy: "List the open ones with `pix.exceptions.list`.",
  hidden: ["endToEndId"],
})<AboutPayment> {}

/**
 * The exception can't be acted on any more; `state` says why: `Refunding`, `Refunded`, `Resolved`, `PartlyReturned` or
 * `RefundWindowClosed`.
 *
 * @repeat No.
 */
export class ExceptionClosed extends TaggedError("ExceptionClosed", {
  problem: ({ state }: AboutPayment & { readonly state: string }) =>
    `The payment exception can't be acted on any more: its state is ${state}.`,
  remedy: "Return at the bank what was returned in part or is too old; otherwise there is nothing left to do.",
}) {}

/**
 * The processor refused to return the payment; its exception is open as before.
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
 * @repeat No: it is declined each time.
 */
export class SimulationDeclined extends TaggedError("SimulationDeclined", {
  problem: ({ id }: AboutCharge) =>
    `The sandbox declined to pay charge ${id}, as its cents or the chosen outcome ask for (decision 17).`,
  remedy: "Issue a charge of another amount, or choose another outcome.",
}) {}
