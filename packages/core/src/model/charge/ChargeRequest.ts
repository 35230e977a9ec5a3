import * as Result from "effect/Result"
import { TaggedError } from "../../runtime/error.ts"
import { addYears, type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import { type Cents, isChargeCents } from "../money/Money.ts"
import type { Payer } from "../party/Company.ts"
import { normalizeTaxId, parseTaxId } from "../party/TaxId.ts"
import { type ChargeId, parseChargeId } from "./ChargeId.ts"
import {
  type ChargePayer,
  isPayerName,
  maxEmailLength,
  parseAddress,
  parseEmail,
  type PayerContact,
} from "./ChargePayer.ts"
import {
  type ChargeFeesInput,
  isGraceDays,
  maxGraceDays,
  parseChargeFees,
  type RequestedTerms,
} from "./RequestedTerms.ts"
import type { AdditionalInfo, ChargePayerInput, ChargeRequestInput } from "./ChargeRequestInput.ts"
import { parseMetadata, parseReference, type ShopTexts } from "./ShopTexts.ts"
import { parseShownText, shownCharacters } from "./ShownText.ts"

/** The default lifetime of an immediate charge (decision 10). */
export const immediateLifetimeSeconds = 600

/*
 * API Pix requires a positive int32 (`calendario.expiracao`). A month is the longest default of a known public API
 * (OpenPix).
 */
export const minValiditySeconds = 60
export const maxValiditySeconds = 2_592_000

/** The terms with fields in the HTTP contract. */
export interface ContractTerms {
  readonly id: ChargeId
  readonly amountCents: Cents
  /** The requested day, not moved to a business day. Absent for an immediate charge. */
  readonly dueDate?: LocalDate
  /** Absent if the request named no payer, and after an erasure (`payerErasedAt`). */
  readonly payer?: ChargePayer
}

/** The terms that only a host can set. */
export interface HostTerms extends ShopTexts {
  /**
   * The payer's bank shows it and `additionalInfo` (API Pix: `solicitacaoPagador`, `infoAdicionais`). Both are erased
   * with the payer.
   */
  readonly messageToPayer?: string
  /** Never empty. */
  readonly additionalInfo?: ReadonlyArray<AdditionalInfo>
  readonly requested?: RequestedTerms
}

export interface HostFields extends HostTerms {
  /** Absent for the default validity, and with a due date. */
  readonly payableForSeconds?: number
}

export interface ChargeRequest extends ContractTerms, HostFields {
  /** A repeat over the HTTP contract isn't compared by the host's own terms (decision 48). */
  readonly isOfContract?: true
  /** One of many (`issueMany`): its calls to the processor come last. */
  readonly isOneOfMany?: true
}

export const contractTerms: Readonly<Record<keyof ContractTerms, true>> = {
  id: true,
  amountCents: true,
  dueDate: true,
  payer: true,
}
export const hostTerms: Readonly<Record<keyof HostTerms, true>> = {
  messageToPayer: true,
  additionalInfo: true,
  requested: true,
  reference: true,
  metadata: true,
}
const allTerms = { ...contractTerms, ...hostTerms }

type EachField<Value> = { readonly [Name in keyof Value]-?: Value[Name] | undefined }

/** Without fields that are undefined. */
export const pickPresent = <Value extends object>(
  value: { readonly [Name in keyof Value]?: Value[Name] | undefined },
  names: Readonly<Record<keyof Value, unknown>>,
) => {
  const present: Partial<Value> = {}
  for (const name in names) if (value[name] !== undefined) present[name] = value[name]
  return present as Value
}

export const requestedTerms = (request: ChargeRequest) => pickPresent<ContractTerms & HostTerms>(request, allTerms)

export type ContractField =
  | Exclude<keyof ContractTerms, "amountCents" | "payer">
  | "amount"
  | "payer.name"
  | "payer.taxId"

export type ChargeRequestField =
  | ContractField
  | `payer.${keyof PayerContact}`
  | Exclude<keyof HostFields, "requested">
  | keyof RequestedTerms
  | `fees.${keyof ChargeFeesInput}`

const orNone = 'must be "none", or'

export const chargeRequestRules: Record<ChargeRequestField, string> = {
  id: "must be a UUID, like randomUUID() of node:crypto makes",
  amount: "(amountCents) must be a whole number of centavos from 1 to 999999999999: 1990 is R$ 19,90",
  dueDate: "must be an existing day, written YYYY-MM-DD or YYYY-MM-DDTHH:mm:ss without a zone",
  "payer.name": "must have 1 to 200 characters, one of them visible, and no control characters",
  "payer.taxId": "must be a CPF or a CNPJ with right check digits, with or without punctuation",
  "payer.email": `must be an e-mail address of at most ${maxEmailLength} characters, and only with a dueDate`,
  "payer.address":
    "must be { street, city, state, postalCode }: texts of 1 to 200 characters, a state like SP, a postal code of eight digits; and only with a dueDate",
  payableForSeconds: `must be a whole number from ${minValiditySeconds} to ${maxValiditySeconds}, and only without a dueDate`,
  messageToPayer: `must have 1 to 140 characters ${shownCharacters}`,
  additionalInfo: `must be up to 50 of { name, value }: names of 1 to 50 and values of 1 to 200 characters ${shownCharacters}`,
  fees: `${orNone} an object with any of fine, interest, abatement and discount; and only with a dueDate`,
  "fees.fine": `${orNone} a fine { kind: "fixed", amountCents } or { kind: "percent", basisPoints } of 1 to 1000000 (200 is 2 %)`,
  "fees.interest": `${orNone} interest with days "calendar" or "business": { kind: "fixedPerDay", days, amountCents }, or of kind "percentPerDay", "percentPerMonth" or "percentPerYear" with basisPoints of 1 to 1000000 (100 is 1 %)`,
  "fees.abatement": `${orNone} an abatement { kind: "fixed", amountCents } or { kind: "percent", basisPoints } of 1 to 9999 (200 is 2 %)`,
  "fees.discount": `${orNone} a discount: of kind "fixedUntil" (amountCents) or "percentUntil" (basisPoints of 1 to 9999) with one to three tiers, each with its own daysBefore the due date (0 to 3650) or its own date (YYYY-MM-DD); or of kind "fixedPerDayEarly" or "percentPerDayEarly" with days "calendar" or "business"`,
  graceDays: `must be a whole number from 1 to ${maxGraceDays}, and only with a dueDate`,
  reference: "must have 1 to 100 characters, one of them visible, and no control characters",
  metadata:
    'must be a plain object of up to 20 texts without NUL and without half of a surrogate pair: names of 1 to 40 characters, without control characters and except names like "constructor"; values of up to 500',
}

/**
 * A field of the request breaks its rule. The error doesn't contain the value.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected request.
 */
export class InvalidChargeRequest extends TaggedError("InvalidChargeRequest")<{ readonly field: ChargeRequestField }> {
  override get message(): string {
    return `The charge's ${this.field} ${chargeRequestRules[this.field]}.`
  }
}

// API Pix: `solicitacaoPagador`, `infoAdicionais`.
const maxMessageLength = 140
export const maxAdditionalInfo = 50
const dueDateForm = /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/

const invalid = (field: ChargeRequestField) => Result.fail(new InvalidChargeRequest({ field }))

/** Ignores a time of day and refuses a zone (decision 9). */
export const parseDueDate = (text: string): Result.Result<LocalDate, InvalidChargeRequest> => {
  const day = typeof text === "string" ? dueDateForm.exec(text)?.[1] : undefined
  const date = day === undefined ? undefined : parseLocalDate(day)
  return date !== undefined && Result.isSuccess(date) ? Result.succeed(date.success) : invalid("dueDate")
}

const parseAdditionalInfo = (given: unknown): ReadonlyArray<AdditionalInfo> | undefined => {
  if (!Array.isArray(given) || given.length > maxAdditionalInfo) return undefined
  const entries: Array<AdditionalInfo> = []
  for (const entry of given as ReadonlyArray<unknown>) {
    const { name: writtenName, value: writtenValue } = Object(entry) as Record<keyof AdditionalInfo, unknown>
    const [name, value] = [parseShownText(writtenName, 50), parseShownText(writtenValue, 200)]
    if (name === undefined || value === undefined) return undefined
    entries.push({ name, value })
  }
  return entries
}

const isValidity = (seconds: unknown): boolean =>
  Number.isInteger(seconds) && (seconds as number) >= minValiditySeconds && (seconds as number) <= maxValiditySeconds

const parseRequested = (
  { fees, graceDays }: Pick<ChargeRequestInput, "fees" | "graceDays">,
  dueDate: LocalDate | undefined,
): Result.Result<RequestedTerms | undefined, InvalidChargeRequest> => {
  if (fees === undefined && graceDays === undefined) return Result.succeed(undefined)
  if (dueDate === undefined) return invalid(fees === undefined ? "graceDays" : "fees")
  const parsed = fees === undefined ? Result.succeed(undefined) : parseChargeFees(fees, dueDate)
  if (Result.isFailure(parsed)) return invalid(parsed.failure)
  if (graceDays !== undefined && !isGraceDays(graceDays)) return invalid("graceDays")
  const requested = { fees: parsed.success, graceDays }
  return Result.succeed(
    parsed.success === undefined && graceDays === undefined
      ? undefined
      : pickPresent<RequestedTerms>(requested, requested),
  )
}

const parseHostFields = (
  {
    payableForSeconds,
    messageToPayer,
    additionalInfo,
    reference: givenReference,
    metadata: givenMetadata,
    ...terms
  }: Omit<ChargeRequestInput, "id" | "amountCents" | "dueDate" | "payer">,
  dueDate: LocalDate | undefined,
) => {
  if (payableForSeconds !== undefined && (dueDate !== undefined || !isValidity(payableForSeconds))) {
    return invalid("payableForSeconds")
  }
  const message = messageToPayer === undefined ? undefined : parseShownText(messageToPayer, maxMessageLength)
  if (messageToPayer !== undefined && message === undefined) return invalid("messageToPayer")
  const info = additionalInfo === undefined ? [] : parseAdditionalInfo(additionalInfo)
  if (info === undefined) return invalid("additionalInfo")
  const reference = givenReference === undefined ? undefined : parseReference(givenReference)
  if (givenReference !== undefined && reference === undefined) return invalid("reference")
  const metadata = givenMetadata === undefined ? undefined : parseMetadata(givenMetadata)
  if (givenMetadata !== undefined && metadata === undefined) return invalid("metadata")
  const requested = parseRequested(terms, dueDate)
  if (Result.isFailure(requested)) return Result.fail(requested.failure)
  const parsed: EachField<HostFields> = {
    messageToPayer: message,
    additionalInfo: info.length > 0 ? info : undefined,
    requested: requested.success,
    reference,
    metadata: metadata && Object.keys(metadata).length > 0 ? metadata : undefined,
    payableForSeconds: payableForSeconds === immediateLifetimeSeconds ? undefined : payableForSeconds,
  }
  return Result.succeed(pickPresent<HostFields>(parsed, parsed))
}

/** Trims and composes (NFC) the name; removes the tax id's punctuation. */
export const parsePayer = (payer: { name: string; taxId: string }): Result.Result<Payer, InvalidChargeRequest> => {
  const { name, taxId: written } = Object(payer) as typeof payer
  if (!isPayerName(name)) return invalid("payer.name")
  const taxId = parseTaxId(normalizeTaxId(written))
  return Result.isSuccess(taxId)
    ? Result.succeed({ name: name.normalize("NFC").trim(), taxId: taxId.success })
    : invalid("payer.taxId")
}

const parseChargePayer = (
  given: ChargePayerInput,
  dueDate: LocalDate | undefined,
): Result.Result<ChargePayer, InvalidChargeRequest> => {
  const payer = parsePayer(given)
  const { email, address } = Object(given) as ChargePayerInput
  if (Result.isFailure(payer) || (email === undefined && address === undefined)) return payer
  const contact = { email: parseEmail(email), address: parseAddress(address) }
  if (email !== undefined && (dueDate === undefined || contact.email === undefined)) return invalid("payer.email")
  if (address !== undefined && (dueDate === undefined || contact.address === undefined)) return invalid("payer.address")
  return Result.succeed({ ...payer.success, ...pickPresent<PayerContact>(contact, contact) })
}

/**
 * Checks a request's shape; the error names the first wrong field (decisions 6 to 9 and 48).
 *
 * @example
 * ```ts
 * import { parseChargeRequest } from "@pixcharge/core/charges"
 * import * as Result from "effect/Result"
 *
 * const request = parseChargeRequest({ id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", amountCents: 0 })
 * Result.isFailure(request) && request.failure.field // => "amount"
 * ```
 */
export const parseChargeRequest = (input: ChargeRequestInput): Result.Result<ChargeRequest, InvalidChargeRequest> => {
  const given = Object(input) as ChargeRequestInput
  const { amountCents } = given
  const id = parseChargeId(given.id)
  if (Result.isFailure(id)) return invalid("id")
  if (!isChargeCents(amountCents)) return invalid("amount")
  const dueDate = given.dueDate === undefined ? undefined : parseDueDate(given.dueDate)
  if (dueDate !== undefined && Result.isFailure(dueDate)) return Result.fail(dueDate.failure)
  const payer = given.payer === undefined ? undefined : parseChargePayer(given.payer, dueDate?.success)
  if (payer !== undefined && Result.isFailure(payer)) return Result.fail(payer.failure)
  const hostFields = parseHostFields(given, dueDate?.success)
  if (Result.isFailure(hostFields)) return Result.fail(hostFields.failure)
  const terms: EachField<ContractTerms> = {
    id: id.success,
    amountCents,
    dueDate: dueDate?.success,
    payer: payer?.success,
  }
  return Result.succeed({ ...pickPresent<ContractTerms>(terms, contractTerms), ...hostFields.success })
}

/** Five years after `today` (decision 9). */
export const latestDueDate = (today: LocalDate): LocalDate => addYears(today, 5)
