import * as Result from "effect/Result"
import { addYears, type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import { TaggedError } from "../error/TaggedError.ts"
import { type Cents, isChargeCents } from "../money/Money.ts"
import { normalizeTaxId, parseTaxId } from "../party/TaxId.ts"
import { type ChargeId, parseChargeId } from "./ChargeId.ts"
import type { Payer } from "../party/Payer.ts"

/** What a host asks for, in plain values; `parseChargeRequest` checks every rule of its shape. */
export interface ChargeRequestInput {
  /** Any UUID of the caller's making; it identifies the charge in every later call. */
  readonly id: string
  /** Integer cents of reais, 1 to 999 999 999 999. */
  readonly amountCents: number
  /** `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm:ss`, read in Brasília; absent for an immediate charge. */
  readonly dueDate?: string | undefined
  /** CPF or CNPJ, masked or not. Absent: the charge goes to a generic payer. */
  readonly payer?: { readonly name: string; readonly taxId: string } | undefined
}

/** A request whose shape is right; whether it may be issued now is decided later. */
export interface ChargeRequest {
  readonly id: ChargeId
  readonly amountCents: Cents
  readonly dueDate?: LocalDate
  readonly payer?: Payer
}

/** The fields that a request can get wrong. */
export type ChargeRequestField = "id" | "amount" | "dueDate" | "payer.name" | "payer.taxId"

const rules: Record<ChargeRequestField, string> = {
  id: "must be a UUID, like randomUUID() of node:crypto makes",
  amount: "(amountCents) must be a whole number of centavos from 1 to 999999999999: 1990 is R$ 19,90",
  dueDate: "must be an existing day, written YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss without a zone",
  "payer.name": "must have 1 to 200 characters, one of them visible, and no control characters",
  "payer.taxId": "must be a CPF or a CNPJ with right check digits, masked or not",
}

/**
 * A field of the request breaks its rule; the value itself is not repeated, for it may be a payer's.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No: with a corrected request.
 */
export class InvalidChargeRequest extends TaggedError("InvalidChargeRequest")<{ readonly field: ChargeRequestField }> {
  override get message(): string {
    return `The charge's ${this.field} ${rules[this.field]}.`
  }
}

const longestNameLength = 200
// Control characters would break receipts and logs; bidirectional overrides let a name pretend to be another.
const unsafeInName = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
// A zero-width space or a filler of Hangul is text to a program, and nothing to a reader.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u
const dueDateForm = /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/

const invalid = (field: ChargeRequestField) => Result.fail(new InvalidChargeRequest({ field }))

/** A due date is a day in Brasília; a time of day is allowed and ignored, a zone is refused (decision 9). */
export const parseDueDate = (text: string): Result.Result<LocalDate, InvalidChargeRequest> => {
  const day = typeof text === "string" ? dueDateForm.exec(text)?.[1] : undefined
  const date = day === undefined ? undefined : parseLocalDate(day)
  return date !== undefined && Result.isSuccess(date) ? Result.succeed(date.success) : invalid("dueDate")
}

/**
 * Whether a text can be a payer's name: 1 to 200 characters, one of them visible and none harmful where it is shown
 * (decision 8).
 */
export const isPayerName = (name: string): boolean =>
  typeof name === "string" && visible.test(name) && [...name].length <= longestNameLength && !unsafeInName.test(name)

/** A payer from plain text: the name trimmed and composed (NFC), so that one spelling is one name; the document bare. */
export const parsePayer = (payer: { name: string; taxId: string }): Result.Result<Payer, InvalidChargeRequest> => {
  const { name, taxId: written } = Object(payer) as typeof payer
  if (!isPayerName(name)) return invalid("payer.name")
  const taxId = parseTaxId(normalizeTaxId(written))
  return Result.isSuccess(taxId)
    ? Result.succeed({ name: name.normalize("NFC").trim(), taxId: taxId.success })
    : invalid("payer.taxId")
}

/**
 * Every rule of a request's shape, the first broken one named (decisions 6 to 9).
 *
 * @example
 * ```ts
 * import { parseChargeRequest } from "@pixcharge/core/charge"
 * import * as Result from "effect/Result"
 *
 * const request = parseChargeRequest({ id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", amountCents: 0 })
 * Result.isFailure(request) && request.failure.field // => "amount"
 * ```
 */
export const parseChargeRequest = (input: ChargeRequestInput): Result.Result<ChargeRequest, InvalidChargeRequest> => {
  // Plain JavaScript may give anything, nothing too.
  const { id: written, amountCents, ...rest } = Object(input) as ChargeRequestInput
  const id = parseChargeId(written)
  if (Result.isFailure(id)) return invalid("id")
  if (!isChargeCents(amountCents)) return invalid("amount")
  const dueDate = rest.dueDate === undefined ? undefined : parseDueDate(rest.dueDate)
  if (dueDate !== undefined && Result.isFailure(dueDate)) return Result.fail(dueDate.failure)
  const payer = rest.payer === undefined ? undefined : parsePayer(rest.payer)
  if (payer !== undefined && Result.isFailure(payer)) return Result.fail(payer.failure)
  return Result.succeed({
    id: id.success,
    amountCents,
    ...(dueDate && { dueDate: dueDate.success }),
    ...(payer && { payer: payer.success }),
  })
}

/** The last day that a due date may name when today is `today`: five years ahead (decision 9). */
export const latestDueDate = (today: LocalDate): LocalDate => addYears(today, 5)
