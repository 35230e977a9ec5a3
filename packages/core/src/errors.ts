import * as Data from "effect/Data"
import type * as Redacted from "effect/Redacted"
import type { LocalDate } from "./calendar/LocalDate.ts"
import type { ChargeId } from "./charge/ChargeId.ts"
import type { Cnpj } from "./party/Cnpj.ts"
import type { Prerequisite } from "./party/Eligibility.ts"

/**
 * Every way in which an operation can fail, as tagged errors: `_tag` is the stable code, the fields carry the facts.
 * None carries a payer's data or a secret, except within a `Prose` and a `cause`.
 */

/**
 * What a processor says for people: a bank may quote the payer's name or document. It prints as `<redacted>` wherever an
 * error is logged; `Redacted.value` reads it.
 */
export type Prose = Redacted.Redacted<string>

/** No registration of a company with this CNPJ. */
export class CompanyNotFound extends Data.TaggedError("CompanyNotFound")<{ readonly issuer: Cnpj }> {}

/** The company may not issue charges: what is missing is named (decision 27). */
export class IssuerNotEligible extends Data.TaggedError("IssuerNotEligible")<{
  readonly issuer: Cnpj
  readonly missing: ReadonlyArray<Prerequisite>
}> {}

/** The due date lies before today in Brasília, or more than five years ahead (decision 9). */
export class DueDateOutOfRange extends Data.TaggedError("DueDateOutOfRange")<{
  readonly dueDate: LocalDate
  readonly earliest: LocalDate
  readonly latest: LocalDate
}> {}

interface AboutCharge {
  readonly issuer: Cnpj
  readonly id: ChargeId
}

/** The company has no charge with this id; whether another company has one is never said (decision 14). */
export class ChargeNotFound extends Data.TaggedError("ChargeNotFound")<AboutCharge> {}

/** The id is taken by a charge of another meaning: other cents, due date or payer (decision 11). */
export class ChargeConflict extends Data.TaggedError("ChargeConflict")<AboutCharge> {}

/** The charge is unpaid and its promised moment has passed. */
export class ChargeExpired extends Data.TaggedError("ChargeExpired")<AboutCharge> {}

/** The charge was cancelled by the company. */
export class ChargeCancelled extends Data.TaggedError("ChargeCancelled")<AboutCharge> {}

/** The charge's money is on its way back. */
export class ChargeRefunding extends Data.TaggedError("ChargeRefunding")<AboutCharge> {}

/** The charge's money went back in full. */
export class ChargeRefunded extends Data.TaggedError("ChargeRefunded")<AboutCharge> {}

/** The charge is not paid, so there is nothing to return. */
export class ChargeNotPaid extends Data.TaggedError("ChargeNotPaid")<AboutCharge> {}

/** The charge is paid, so it can no longer be cancelled. */
export class ChargeAlreadyPaid extends Data.TaggedError("ChargeAlreadyPaid")<AboutCharge> {}

/** Part of the payment already went back elsewhere, so that a full refund is impossible (decision 18). */
export class ChargePartlyReturned extends Data.TaggedError("ChargePartlyReturned")<
  AboutCharge & { readonly returnedCents: number }
> {}

/** More than 90 days have passed since the payment: the central bank allows no return (API Pix, `devolucao`). */
export class RefundWindowClosed extends Data.TaggedError("RefundWindowClosed")<
  AboutCharge & { readonly closedAt: number }
> {}

/** The processor did not carry the refund out; the charge is paid as before. */
export class RefundRejected extends Data.TaggedError("RefundRejected")<AboutCharge & { readonly reason: Prose }> {}

interface AboutPayment {
  readonly issuer: Cnpj
  readonly endToEndId: string
}

/** The payment names no charge of ours. It is recorded as unmatched and waits as an exception: nothing is lost. */
export class PaymentUnmatched extends Data.TaggedError("PaymentUnmatched")<AboutPayment> {}

/** The endToEndId is already recorded for another charge of the company; it settles only one. */
export class PaymentOfAnotherCharge extends Data.TaggedError("PaymentOfAnotherCharge")<
  AboutCharge & { readonly endToEndId: string }
> {}

/** No open payment exception with this endToEndId. */
export class ExceptionNotFound extends Data.TaggedError("ExceptionNotFound")<AboutPayment> {}

/**
 * The exception can't be acted on any more; `state` says why: `Refunding`, `Refunded`, `Resolved`, `PartlyReturned` or
 * `RefundWindowClosed`.
 */
export class ExceptionClosed extends Data.TaggedError("ExceptionClosed")<AboutPayment & { readonly state: string }> {}

/** The processor refused to return the payment; its exception is open as before. */
export class ExceptionRefundRejected extends Data.TaggedError("ExceptionRefundRejected")<
  AboutPayment & { readonly reason: Prose }
> {}

/** The processor declined to simulate the payment (sandbox). */
export class SimulationDeclined extends Data.TaggedError("SimulationDeclined")<AboutCharge> {}

interface AboutOutage {
  readonly operation: string
  /** What was caught: it may quote anything, so that no log of ours tells more of it than names, codes and places. */
  readonly cause?: unknown
}

/** The processor did not answer, or not in time. Whether it acted is unknown; the same call continues (decision 12). */
export class ProcessorUnavailable extends Data.TaggedError("ProcessorUnavailable")<
  AboutOutage & { readonly retryAfterMs?: number }
> {}

/** The processor answered and refused; the same call would be refused again. */
export class ProcessorRejected extends Data.TaggedError("ProcessorRejected")<{
  readonly operation: string
  /** The status of the processor's answer, if it has one. */
  readonly status?: number
  readonly reason: Prose
}> {}

/** The store could not be read or written. Nothing is half-made: the same call later finds what was done. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<AboutOutage> {}

/** The registrations could not be read; nothing new is issued meanwhile. */
export class DirectoryUnavailable extends Data.TaggedError("DirectoryUnavailable")<AboutOutage> {}

/** No endpoint of the company, or of anybody, has this id. */
export class EndpointNotFound extends Data.TaggedError("EndpointNotFound")<{ readonly endpointId: string }> {}

/** A replay names neither an event, a charge nor a period: it would send everything again. */
export class NothingSelected extends Data.TaggedError("NothingSelected")<{ readonly issuer: Cnpj }> {}
