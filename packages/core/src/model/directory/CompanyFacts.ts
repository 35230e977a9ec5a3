import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { normalizePixKey, pixKeyViolation } from "../brcode/PixKey.ts"
import { type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import { isPayerName } from "../charge/ChargePayer.ts"
import { parsePayer } from "../charge/ChargeRequest.ts"
import { isGraceDays, maxGraceDays } from "../charge/RequestedTerms.ts"
import { type Fees, type FeesInput, parseFees } from "../money/Fees.ts"
import type { Company, Payer, Reseller } from "../party/Company.ts"
import { type Cnpj, parseCnpj } from "../party/Cnpj.ts"
import { normalizeTaxId } from "../party/TaxId.ts"
import { InvalidRegistration, orRefuse, type Parsed, parseFlag, refuse } from "./directoryErrors.ts"

/** A reseller's facts, in plain values. */
export interface ResellerFacts {
  /** The CNPJ, with or without punctuation. */
  readonly cnpj: string
  /** 1 to 200 characters. */
  readonly name: string
  /** Whether its wallet is active. If not, its companies can't issue charges. By default true. */
  readonly walletActive?: boolean
}

/** A company's facts, in plain values. */
export interface CompanyFacts {
  /** The CNPJ, with or without punctuation. */
  readonly cnpj: string
  /**
   * The receiver's name: 1 to 200 characters. BR Codes contain the first 25 characters; receipts and pages show all.
   */
  readonly name: string
  /** The city. BR Codes contain its first 15 characters. */
  readonly city: string
  /** The company's Pix key in any form; stored as the DICT registers it (`normalizePixKey`). */
  readonly pixKey: string
  /**
   * How many days a due-date charge stays payable after its moved due date: 1 to 3 650. By default 30, as at the central
   * bank.
   */
  readonly graceDays?: number
  /** Whether its wallet is active. If not, it can't issue charges. By default true. */
  readonly walletActive?: boolean
  /** Whether it has a bank domicile of its own. If not, it can't issue charges. By default true. */
  readonly ownBankDomicile?: boolean
  /** Fine, interest, abatement and discount of due-date charges. */
  readonly fees?: FeesInput
  /** The payer of due-date charges without one, if the bank requires a payer. */
  readonly genericPayer?: { readonly name: string; readonly taxId: string }
  /** Closed days of the company's city or state, besides the national bank holidays: `YYYY-MM-DD` each. */
  readonly localHolidays?: ReadonlyArray<string>
}

/** API Pix: `validadeAposVencimento`. */
const defaultGraceDays = 30

/** Parses a CNPJ with or without punctuation. */
export const parseHolder = (cnpj: string): Parsed<Cnpj> =>
  orRefuse(
    parseCnpj(normalizeTaxId(cnpj)),
    cnpj,
    "cnpj",
    "must be a CNPJ with right check digits, with or without punctuation",
  )

// A line break in a name would forge a line of a receipt.
const parseText = (cnpj: string, field: string, text: unknown): Parsed<string> => {
  if (isPayerName(text)) return Result.succeed(text.trim())
  const rule = "must have 1 to 200 characters, one of them visible, and no control characters"
  return refuse(cnpj, field, text === undefined ? `is missing: it ${rule}` : rule)
}

export const parseResellerFacts = (input: ResellerFacts): Parsed<Reseller> =>
  Result.gen(function* () {
    const cnpj = yield* parseHolder(input.cnpj)
    const name = yield* parseText(input.cnpj, "name", input.name)
    return { cnpj, name, walletActive: yield* parseFlag(input.cnpj, "walletActive", input.walletActive, true) }
  })

const parseFeesFact = (cnpj: string, fees: FeesInput): Parsed<Fees> =>
  Predicate.isObject(fees)
    ? Result.mapError(
        parseFees(fees),
        ({ field, problem }) => new InvalidRegistration({ cnpj, field: `fees.${field}`, problem }),
      )
    : refuse(cnpj, "fees", "must be an object")

const parseGenericPayer = (cnpj: string, payer: NonNullable<CompanyFacts["genericPayer"]>): Parsed<Payer> =>
  Result.flatMap(parseText(cnpj, "genericPayer.name", Object(payer).name), () =>
    orRefuse(
      parsePayer(payer),
      cnpj,
      "genericPayer.taxId",
      "must be a CPF or CNPJ with right check digits, with or without punctuation",
    ),
  )

const holidaysRule = "must be a list of existing days, written YYYY-MM-DD"

const parseHolidays = (cnpj: string, days: unknown): Parsed<ReadonlyArray<LocalDate>> =>
  Array.isArray(days)
    ? Result.all(
        days.map((day: unknown) => orRefuse(parseLocalDate(day as string), cnpj, "localHolidays", holidaysRule)),
      )
    : refuse(cnpj, "localHolidays", holidaysRule)

/** Parses a company's facts; the error names the first wrong fact. */
export const parseCompanyFacts = (input: CompanyFacts): Parsed<Company> =>
  Result.gen(function* () {
    const { cnpj: written, graceDays = defaultGraceDays, fees, genericPayer, localHolidays } = input
    const cnpj = yield* parseHolder(written)
    const name = yield* parseText(written, "name", input.name)
    const city = yield* parseText(written, "city", input.city)
    const pixKey = normalizePixKey(yield* parseText(written, "pixKey", input.pixKey))
    const flaw = pixKeyViolation(pixKey)
    if (flaw !== undefined) return yield* refuse(written, "pixKey", flaw.message.slice(flaw.field.length + 1))
    if (!isGraceDays(graceDays)) {
      return yield* refuse(written, "graceDays", `must be a whole number from 1 to ${maxGraceDays}`)
    }
    return {
      cnpj,
      name,
      city,
      pixKey,
      walletActive: yield* parseFlag(written, "walletActive", input.walletActive, true),
      ownBankDomicile: yield* parseFlag(written, "ownBankDomicile", input.ownBankDomicile, true),
      graceDays,
      ...(fees !== undefined && { fees: yield* parseFeesFact(written, fees) }),
      ...(genericPayer !== undefined && { genericPayer: yield* parseGenericPayer(written, genericPayer) }),
      ...(localHolidays !== undefined && { localHolidays: yield* parseHolidays(written, localHolidays) }),
    }
  })
