import type * as Redacted from "effect/Redacted"
import type { LocalDate } from "./calendar/LocalDate.ts"
import type { ChargeId } from "./charges/rules/ChargeId.ts"
import { CausedError } from "./runtime/error/CausedError.ts"
import { hideField } from "./runtime/error/hideField.ts"
import { TaggedError } from "./runtime/error/TaggedError.ts"
import type { Cnpj } from "./party/Cnpj.ts"
import type { Prerequisite } from "./party/Eligibility.ts"

/**
 * Every way in which an operation can fail, as tagged errors: `_tag` and `code` are stable, the fields carry the facts, the
 * message says what to do. None carries a payer's data or a secret, except within a `Prose` and a `cause`, which print as
 * `<redacted>`. `docs/errors.md` is made from these comments: `@remedy` says what to do, `@repeat` whether the same call
 * may be made again.
 */

/**
 * What a processor says for people: a bank may quote the payer's name or document. It prints as `<redacted>` wherever an
 * error is logged; `Redacted.value` reads it.
 */
export type Prose = Redacted.Redacted<string>

/**
 * No registration of a company with this CNPJ.
 *
 * @remedy Register the company in the directory, or correct the CNPJ.
 * @repeat Yes, once the company is registered.
 */
export class CompanyNotFound extends TaggedError("CompanyNotFound")<{ readonly issuer: Cnpj }> {
  override get message(): string {
    return "The directory has no company with this CNPJ: register it, or correct the CNPJ."
  }
}

/**
 * The company may not issue charges: what is missing is named (decision 27).
 *
 * @remedy Complete the registration: `missing` names what it lacks.
 * @repeat Yes, once the registration is complete.
 */
export class IssuerNotEligible extends TaggedError("IssuerNotEligible")<{
  readonly issuer: Cnpj
  readonly missing: ReadonlyArray<Prerequisite>
}> {
  override get message(): string {
    return `The company may not issue charges: its registration lacks ${this.missing.join(", ")}. Complete it in the directory.`
  }
}

/**
 * The due date lies before today in Brasília, or too far ahead (decision 9).
 *
 * @remedy Choose a due date from `earliest` to `latest`.
 * @repeat No: with another due date.
 */
export class DueDateOutOfRange extends TaggedError("DueDateOutOfRange")<{
  readonly dueDate: LocalDate
  readonly earliest: LocalDate
  readonly latest: LocalDate
}> {
  override get message(): string {
    return `dueDate must be a day from ${this.earliest} (today in Brasília) to ${this.latest}: choose another one.`
  }
}

interface AboutCharge {
  readonly issuer: Cnpj
  readonly id: ChargeId
}

/**
 * The company has no charge with this id; whether another company has one is never said (decision 14).
 *
 * @remedy Check the id, and that the CNPJ is that of the company that issued the charge.
 * @repeat No.
 */
export class ChargeNotFound extends TaggedError("ChargeNotFound")<AboutCharge> {
  override get message(): string {
    return `The company has no charge ${this.id}: check the id, and that the CNPJ is the issuer's.`
  }
}

/**
 * A link to a charge's page was asked for until a moment that it can't hold until: the message says which it can.
 *
 * @remedy Give `expiresAt` in epoch milliseconds, later than `pix.clock.now()` and no later than `latest`.
 * @repeat No: with another moment.
 */
export class InvalidLink extends TaggedError("InvalidLink")<AboutCharge & { readonly latest: number }> {
  override get message(): string {
    return "A link's expiresAt must be in whole epoch milliseconds, later than now and at most a year after the charge's watchUntil."
  }
}

/**
 * The id is taken by a charge of another meaning: other cents, due date or payer (decision 11).
 *
 * @remedy Issue under a new UUID; to repeat a request, send the same cents, due date and payer.
 * @repeat No: under another id.
 */
export class ChargeConflict extends TaggedError("ChargeConflict")<AboutCharge> {
  override get message(): string {
    return `The id ${this.id} is taken by a charge with another amount, due date, payer, validity or text: issue under a new UUID, or repeat the first request unchanged.`
  }
}

/**
 * The charge is unpaid and its promised moment has passed.
 *
 * @remedy Issue a new charge under a new UUID.
 * @repeat No.
 */
export class ChargeExpired extends TaggedError("ChargeExpired")<AboutCharge> {
  override get message(): string {
    return `Charge ${this.id} has expired: issue a new one under a new UUID.`
  }
}

/**
 * The charge was cancelled by the company.
 *
 * @remedy Issue a new charge under a new UUID.
 * @repeat No.
 */
export class ChargeCancelled extends TaggedError("ChargeCancelled")<AboutCharge> {
  override get message(): string {
    return `Charge ${this.id} was cancelled: issue a new one under a new UUID.`
  }
}

/**
 * The charge's money is on its way back.
 *
 * @remedy Wait for the event `refunded`; for a further sale issue a new charge under a new UUID.
 * @repeat No.
 */
export class ChargeRefunding extends TaggedError("ChargeRefunding")<AboutCharge> {
  override get message(): string {
    return `Charge ${this.id} is being refunded: its id can't be used again. Issue a new charge under a new UUID.`
  }
}

/**
 * The charge's money went back in full.
 *
 * @remedy Issue a new charge under a new UUID.
 * @repeat No.
 */
export class ChargeRefunded extends TaggedError("ChargeRefunded")<AboutCharge> {
  override get message(): string {
    return `Charge ${this.id} was refunded: its id can't be used again. Issue a new charge under a new UUID.`
  }
}

/**
 * The charge is not paid, so there is nothing to return.
 *
 * @remedy Cancel the charge instead of refunding it.
 * @repeat Only once the charge is paid.
 */
export class ChargeNotPaid extends TaggedError("ChargeNotPaid")<AboutCharge> {
  override get message(): string {
    return `Charge ${this.id} is not paid, so that nothing can be returned: cancel it instead.`
  }
}

/**
 * The charge is paid, so it can no longer be cancelled.
 *
 * @remedy Refund the charge instead of cancelling it.
 * @repeat No.
 */
export class ChargeAlreadyPaid extends TaggedError("ChargeAlreadyPaid")<AboutCharge> {
  override get message(): string {
    return `Charge ${this.id} is paid and can't be cancelled: refund it instead.`
  }
}

/**
 * Part of the payment went back already, or may be on its way back, so that a full refund is impossible (decisions 18 and 50).
 *
 * @remedy Return the rest with `pix.refundPart`.
 * @repeat Only if no part went back: once a partial refund that is under way has failed.
 */
export class ChargePartlyReturned extends TaggedError("ChargePartlyReturned")<
  AboutCharge & { readonly returnedCents: number }
> {
  override get message(): string {
    return `Part of the payment of charge ${this.id} went back or is on its way back, so that it can't be returned in full: return the rest with pix.refundPart.`
  }
}

/**
 * More than 90 days have passed since the payment: the central bank allows no return (API Pix, `devolucao`).
 *
 * @remedy Return the money by a payment of your own.
 * @repeat No.
 */
export class RefundWindowClosed extends TaggedError("RefundWindowClosed")<AboutCharge & { readonly closedAt: number }> {
  override get message(): string {
    return `Charge ${this.id} was paid too long ago to be returned as a refund: pay the money back by a payment of your own.`
  }
}

/**
 * The processor did not carry the refund out; the charge is paid as before.
 *
 * @remedy Read why with `Redacted.value(error.reason)`; most often the account lacks the money.
 * @repeat Yes: a new refund is requested.
 */
export class RefundRejected extends TaggedError("RefundRejected")<AboutCharge & { readonly reason: Prose }> {
  override get message(): string {
    return `The processor rejected the refund of charge ${this.id}, which is paid as before: Redacted.value(error.reason) says why. The account may lack the money.`
  }
}

type AboutPart = AboutCharge & { readonly key: string }

/**
 * The key is taken by a partial refund of another amount, in the books or at the bank (decision 50).
 *
 * @remedy Give another refund a key of its own; to repeat one, give the same cents.
 * @repeat No: under another key.
 */
export class PartialRefundConflict extends TaggedError("PartialRefundConflict")<AboutPart> {
  constructor(fields: AboutPart) {
    super(fields)
    hideField(this, "key")
  }
  override get message(): string {
    return `A partial refund of charge ${this.id} has this key and another amount: give another refund a key of its own, or repeat the first one with its cents.`
  }
}

/**
 * Another partial refund of the charge is under way, or was refused while a call for it may still be carried out; `key` names
 * it. One at a time, for together they could exceed what was paid (decision 50).
 *
 * @remedy Repeat that one under its `key` to hear how it ends; then ask for this one.
 * @repeat Yes, once the other one has ended: after a refusal, a day after its last call without an answer.
 */
export class PartialRefundUnderWay extends TaggedError("PartialRefundUnderWay")<AboutPart> {
  constructor(fields: AboutPart) {
    super(fields)
    hideField(this, "key")
  }
  override get message(): string {
    return `Another partial refund of charge ${this.id} may still return money (error.key names it): make the same call again once it has ended.`
  }
}

/**
 * Less is left of the payment than is asked for: the rest went back already, whoever returned it (decision 50).
 *
 * @remedy Ask for `leftCents` at most.
 * @repeat No: for fewer cents.
 */
export class RefundExceedsRest extends TaggedError("RefundExceedsRest")<AboutCharge & { readonly leftCents: number }> {
  override get message(): string {
    return `Of the payment of charge ${this.id} only ${this.leftCents} centavos are left to return: ask for that at most.`
  }
}

interface AboutPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
}

/**
 * The payment names no charge of ours. It is recorded as unmatched and waits as an exception: nothing is lost.
 *
 * @remedy Decide over it with `pix.exceptions`.
 * @repeat No: the payment is recorded.
 */
export class PaymentUnmatched extends TaggedError("PaymentUnmatched")<AboutPayment> {
  override get message(): string {
    return "The payment's txid names no charge of the company; it is recorded as an exception: refund or resolve it with pix.exceptions."
  }
}

/**
 * The endToEndId is already recorded for another charge of the company, or of another company; it settles only one.
 *
 * @remedy Check the endToEndId and the txid of the notice against the bank's statement.
 * @repeat No.
 */
export class PaymentOfAnotherCharge extends TaggedError("PaymentOfAnotherCharge")<
  AboutCharge & { readonly endToEndId: string }
> {
  override get message(): string {
    return `endToEndId names a payment that is recorded for another charge than ${this.id}: check endToEndId and txid against the bank's statement.`
  }
}

/**
 * The payment is in the books of another company, which shares an account with this one: it is recorded once.
 *
 * @remedy Check by its txid and PIX key at the bank whose payment it is; `pix.comparison` of both companies shows it.
 * @repeat No.
 */
export class PaymentOfAnotherCompany extends TaggedError("PaymentOfAnotherCompany")<AboutPayment> {
  constructor(fields: AboutPayment) {
    super(fields)
    hideField(this, "endToEndId")
  }
  override get message(): string {
    return "endToEndId names a payment that is in another company's books: check by its txid and PIX key whose it is."
  }
}

/**
 * No open payment exception with this endToEndId.
 *
 * @remedy List the open ones with `pix.exceptions.list`.
 * @repeat No.
 */
export class ExceptionNotFound extends TaggedError("ExceptionNotFound")<AboutPayment> {
  constructor(fields: AboutPayment) {
    super(fields)
    hideField(this, "endToEndId")
  }
  override get message(): string {
    return "The company has no payment exception with this endToEndId: pix.exceptions.list shows the open ones."
  }
}

/**
 * The exception can't be acted on any more; `state` says why: `Refunding`, `Refunded`, `Resolved`, `PartlyReturned` or
 * `RefundWindowClosed`.
 *
 * @remedy Nothing, if `state` is what was wanted; a payment that was returned in part or is too old is returned at the bank.
 * @repeat No.
 */
export class ExceptionClosed extends TaggedError("ExceptionClosed")<AboutPayment & { readonly state: string }> {
  override get message(): string {
    return `The payment exception can't be acted on any more: its state is ${this.state}.`
  }
}

/**
 * The processor refused to return the payment; its exception is open as before.
 *
 * @remedy Read why with `Redacted.value(error.reason)`; most often the account lacks the money.
 * @repeat Yes: a new refund is requested.
 */
export class ExceptionRefundRejected extends TaggedError("ExceptionRefundRejected")<
  AboutPayment & { readonly reason: Prose }
> {
  override get message(): string {
    return "The processor rejected the return of the payment, whose exception is open as before: Redacted.value(error.reason) says why. The account may lack the money."
  }
}

/**
 * The processor declined to simulate the payment (sandbox).
 *
 * @remedy Choose another amount, or another outcome: they say what goes wrong in the sandbox (decision 17).
 * @repeat No: it is declined each time.
 */
export class SimulationDeclined extends TaggedError("SimulationDeclined")<AboutCharge> {
  override get message(): string {
    return `The sandbox declined to pay charge ${this.id}, as its cents or the chosen outcome ask for: issue one of another amount, or choose another outcome.`
  }
}

interface AboutOutage {
  readonly operation: string
  /** What was caught. What others threw may quote anything: it is hidden, and `Redacted.value` reads it. */
  readonly cause?: unknown
}

/**
 * The processor did not answer, or not in time. Whether it acted is unknown; the same call continues (decision 12).
 *
 * @remedy Make the same call again after `retryAfterMs`, or some seconds; if it stays so, check connection and credentials.
 * @repeat Yes, and it should be.
 */
export class ProcessorUnavailable extends CausedError("ProcessorUnavailable")<
  AboutOutage & { readonly retryAfterMs?: number }
> {
  override get message(): string {
    const wait = this.retryAfterMs === undefined ? "some seconds" : `${this.retryAfterMs} ms`
    return `The processor gave no usable answer (${this.operation}), and may have acted: make the same call again after ${wait}; it goes on where this one ended.`
  }
}

/**
 * The processor answered and refused; the same call would be refused again.
 *
 * @remedy Read why with `Redacted.value(error.reason)`; `status` is that of its answer. A 401 or 403 is about credentials or scopes.
 * @repeat No: not before what the processor complains of is mended.
 */
export class ProcessorRejected extends TaggedError("ProcessorRejected")<{
  readonly operation: string
  /** The status of the processor's answer, if it has one. */
  readonly status?: number
  readonly reason: Prose
}> {
  override get message(): string {
    const status = this.status === undefined ? "" : `, status ${this.status}`
    return `The processor refused the call (${this.operation}${status}): Redacted.value(error.reason) says why. The same call would be refused again.`
  }
}

/**
 * The store could not be read or written. Nothing is half-made: the same call later finds what was done.
 *
 * @remedy Make the same call again after some seconds; if it stays so, check the database. `cause` has the details.
 * @repeat Yes.
 */
export class StoreUnavailable extends CausedError("StoreUnavailable")<AboutOutage> {
  override get message(): string {
    return `The store could not be used (${this.operation}): make the same call again after some seconds, or look at the cause if it stays so.`
  }
}

/**
 * Too many reports of the company wait already, or this one has waited too long: lists, figures and exports get few of the
 * store's connections, each company its share, so that what moves money has the others (decision 58).
 *
 * @remedy Ask again after `retryAfterMs`, and for fewer lists, figures and exports at a time.
 * @repeat Yes, after `retryAfterMs`.
 */
export class TooManyReports extends TaggedError("TooManyReports")<{
  readonly issuer: Cnpj
  readonly retryAfterMs: number
}> {
  override get message(): string {
    return `Too many lists, figures and exports of the company are asked for at once: ask for fewer, and for this one again after ${this.retryAfterMs} ms.`
  }
}

/**
 * The registrations could not be read or changed; nothing new is issued meanwhile.
 *
 * @remedy Make the same call again after some seconds; if it stays so, `cause` says what the directory's source answered. With `hostDirectory` change your own tables: `pix.directory` can't.
 * @repeat Yes; with `hostDirectory`, changes never succeed.
 */
export class DirectoryUnavailable extends CausedError("DirectoryUnavailable")<AboutOutage> {
  override get message(): string {
    if (this.operation === "admin")
      return "The directory is the host's own: change its tables, for pix.directory can't."
    return `The directory could not be used (${this.operation}): make the same call again after some seconds, or look at the cause if it stays so.`
  }
}

/**
 * No endpoint of the company, or of anybody, has this id.
 *
 * @remedy Use an id that the directory has: `callback-` and the CNPJ, for what was registered as `callback`.
 * @repeat No.
 */
export class EndpointNotFound extends TaggedError("EndpointNotFound")<{ readonly endpointId: string }> {
  constructor(fields: { readonly endpointId: string }) {
    super(fields)
    hideField(this, "endpointId")
  }
  override get message(): string {
    return "No endpoint that this call may reach has this endpointId: a registered callback's id is callback- and the CNPJ of its holder."
  }
}

/**
 * A replay names neither an event, a charge nor a period: it would send everything again.
 *
 * @remedy Give `eventId`, `chargeId` or `period`.
 * @repeat No: with a selection.
 */
export class NothingSelected extends TaggedError("NothingSelected")<{ readonly issuer: Cnpj }> {
  override get message(): string {
    return "A replay needs eventId, chargeId or period: without one it would send every event again."
  }
}

/**
 * A period is longer, or holds more, than one call reads.
 *
 * @remedy Ask for a shorter period: `most` says how much one call reads.
 * @repeat No: with a shorter period.
 */
export class PeriodTooLarge extends TaggedError("PeriodTooLarge")<{
  readonly operation: string
  readonly most: string
}> {
  override get message(): string {
    return `The ${this.operation} of at most ${this.most} are read at once: ask for a shorter period.`
  }
}
