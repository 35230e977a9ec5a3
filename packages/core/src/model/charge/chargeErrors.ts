import type { LocalDate } from "../calendar/LocalDate.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { Prerequisite } from "../party/Company.ts"
import { TaggedError } from "../../runtime/error.ts"
import type { ChargeId } from "./ChargeId.ts"

export interface AboutCharge {
  readonly issuer: Cnpj
  readonly id: ChargeId
}

/**
 * The company can't issue charges; `missing` names its unmet prerequisites (decision 27).
 *
 * @repeat Yes, once the registration is complete.
 */
export class IssuerNotEligible extends TaggedError("IssuerNotEligible", {
  problem: ({ missing }: { readonly issuer: Cnpj; readonly missing: ReadonlyArray<Prerequisite> }) =>
    `The company can't issue charges: its registration lacks ${missing.join(", ")}.`,
  remedy: "Complete the registration in the directory.",
}) {}

/**
 * The due date lies before today in Brasília, or too far ahead (decision 9).
 *
 * @repeat No, only with another due date.
 */
export class DueDateOutOfRange extends TaggedError("DueDateOutOfRange", {
  problem: (error: { readonly dueDate: LocalDate; readonly earliest: LocalDate; readonly latest: LocalDate }) =>
    `dueDate must be a day from ${error.earliest} (today in Brasília) to ${error.latest}.`,
  remedy: "Choose another due date, from `earliest` to `latest`.",
}) {}

/**
 * The company has no charge with this id. The error doesn't tell whether another company has one (decision 14).
 *
 * @repeat No.
 */
export class ChargeNotFound extends TaggedError("ChargeNotFound", {
  problem: ({ id }: AboutCharge) => `The company has no charge ${id}.`,
  remedy: "Check the id, and the CNPJ of the company that issued the charge.",
}) {}

/**
 * Another charge has this id: its amount, due date, payer, validity or text differs (decision 11).
 *
 * @repeat No, only under another id.
 */
export class ChargeConflict extends TaggedError("ChargeConflict", {
  problem: ({ id }: AboutCharge) =>
    `The id ${id} is taken by a charge with another amount, due date, payer, validity or text.`,
  remedy: "Issue under a new UUID, or repeat the first request unchanged.",
}) {}

/**
 * The charge is unpaid, and `payableUntil` has passed.
 *
 * @repeat No.
 */
export class ChargeExpired extends TaggedError("ChargeExpired", {
  problem: ({ id }: AboutCharge) => `Charge ${id} has expired.`,
  remedy: "Issue a new charge under a new UUID.",
}) {}

/**
 * The charge is cancelled.
 *
 * @repeat No.
 */
export class ChargeCancelled extends TaggedError("ChargeCancelled", {
  problem: ({ id }: AboutCharge) => `Charge ${id} was cancelled.`,
  remedy: "Issue a new charge under a new UUID.",
}) {}

/**
 * The charge's money is on its way back.
 *
 * @repeat No.
 */
export class ChargeRefunding extends TaggedError("ChargeRefunding", {
  problem: ({ id }: AboutCharge) => `Charge ${id} is being refunded, and its id can't be used again.`,
  remedy: "Wait for the event `refunded`; for a further sale issue a new charge under a new UUID.",
}) {}

/**
 * The charge's money went back in full.
 *
 * @repeat No.
 */
export class ChargeRefunded extends TaggedError("ChargeRefunded", {
  problem: ({ id }: AboutCharge) => `Charge ${id} was refunded, and its id can't be used again.`,
  remedy: "Issue a new charge under a new UUID.",
}) {}

/**
 * The charge isn't paid.
 *
 * @repeat Only once the charge is paid.
 */
export class ChargeNotPaid extends TaggedError("ChargeNotPaid", {
  problem: ({ id }: AboutCharge) => `Charge ${id} is not paid, so there is nothing to return.`,
  remedy: "Cancel the charge instead of refunding it.",
}) {}

/**
 * The charge is paid and can't be cancelled or changed.
 *
 * @repeat No.
 */
export class ChargeAlreadyPaid extends TaggedError("ChargeAlreadyPaid", {
  problem: ({ id }: AboutCharge) => `Charge ${id} is paid and can't be cancelled or changed.`,
  remedy: "Refund the charge, or a part of it.",
}) {}
