import * as Result from "effect/Result"
import { writtenKeyViolation } from "../brcode/PixKey.ts"
import { type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import { isPayerName, parsePayer } from "../charge/ChargeRequest.ts"
import { type Fees, type FeesInput, parseFees } from "../money/Fees.ts"
import type { Payer } from "../party/Payer.ts"
import { type Cnpj, parseCnpj } from "../party/Cnpj.ts"
import type { Company } from "../party/Company.ts"
import type { Reseller } from "../party/Reseller.ts"
import { normalizeTaxId } from "../party/TaxId.ts"
import { type Parsed, refuse } from "./InvalidRegistration.ts"

/** What is known of a reseller, in plain values. */
export interface ResellerFacts {
  /** Masked or not. */
  readonly cnpj: string
  readonly name: string
  /** By default true. */
  readonly walletActive?: boolean
}

/** What is known of a company, in plain values. */
export interface CompanyFacts {
  /** Masked or not. */
  readonly cnpj: string
  readonly name: string
  readonly city: string
  readonly pixKey: string
  /** At least 1. */
  readonly graceDays: number
  /** By default true. */
  readonly walletActive?: boolean
  /** By default true. */
  readonly ownBankDomicile?: boolean
  readonly fees?: FeesInput
  readonly genericPayer?: { readonly name: string; readonly taxId: string }
  /** `YYYY-MM-DD` each. */
  readonly localHolidays?: ReadonlyArray<string>
}

/** More days would outlast any charge. */
const mostGraceDays = 3650

const parseHolder = (cnpj: string): Parsed<Cnpj> => {
  const parsed = parseCnpj(normalizeTaxId(cnpj))
  return Result.isSuccess(parsed) ? Result.succeed(parsed.success) : refuse(cnpj, "cnpj", "is no valid CNPJ")
}

/** A reseller's facts are sound with a valid CNPJ and a name. */
export const parseResellerFacts = (input: ResellerFacts): Parsed<Reseller> =>
  Result.flatMap(parseHolder(input.cnpj), (cnpj) =>
    isText(input.name)
      ? Result.succeed({ cnpj, name: input.name.trim(), walletActive: input.walletActive ?? true })
      : refuse(input.cnpj, "name", nameRule),
  )

// Names are shown on receipts and in codes, a line break in one would forge a line there.
const isText = (text: unknown): boolean => typeof text === "string" && isPayerName(text)
const nameRule = "must have 1 to 200 characters, none of them a control character"

const parseGenericPayer = ({ cnpj, genericPayer }: CompanyFacts): Parsed<Payer | undefined> => {
  if (genericPayer === undefined) return Result.succeed(undefined)
  if (!isText(genericPayer.name)) return refuse(cnpj, "genericPayer.name", nameRule)
  const payer = parsePayer(genericPayer)
  return Result.isSuccess(payer)
    ? Result.succeed(payer.success)
    : refuse(cnpj, "genericPayer.taxId", "is no valid CPF or CNPJ")
}

const parseCompanyFees = ({ cnpj, fees }: CompanyFacts): Parsed<Fees | undefined> => {
  if (fees === undefined) return Result.succeed(undefined)
  if (fees === null || typeof fees !== "object") return refuse(cnpj, "fees", "must be an object")
  const parsed = parseFees(fees)
  return Result.isSuccess(parsed)
    ? Result.succeed(parsed.success)
    : refuse(cnpj, `fees.${parsed.failure.field}`, parsed.failure.message)
}

const parseHolidays = ({ cnpj, localHolidays }: CompanyFacts): Parsed<ReadonlyArray<LocalDate> | undefined> => {
  const days: Array<LocalDate> = []
  for (const text of localHolidays ?? []) {
    const day = parseLocalDate(text)
    if (Result.isFailure(day)) return refuse(cnpj, "localHolidays", `has ${text}, which is no day as YYYY-MM-DD`)
    days.push(day.success)
  }
  return Result.succeed(localHolidays && days)
}

const companyFlaw = ({ name, city, pixKey, graceDays }: CompanyFacts): readonly [string, string] | undefined => {
  for (const [field, text] of Object.entries({ name, city, pixKey })) {
    if (!isText(text)) return [field, nameRule]
  }
  const key = writtenKeyViolation(pixKey)
  if (key !== undefined) return ["pixKey", key.message.slice(key.field.length + 1)]
  return Number.isInteger(graceDays) && graceDays >= 1 && graceDays <= mostGraceDays
    ? undefined
    : ["graceDays", `must be a whole number from 1 to ${mostGraceDays}`]
}

/** A company's facts are sound if each of them is; the first that isn't is named. Its reseller comes apart. */
export const parseCompanyFacts = (input: CompanyFacts): Parsed<Company> =>
  Result.gen(function* () {
    const cnpj = yield* parseHolder(input.cnpj)
    const flaw = companyFlaw(input)
    if (flaw !== undefined) return yield* refuse(input.cnpj, ...flaw)
    const fees = yield* parseCompanyFees(input)
    const genericPayer = yield* parseGenericPayer(input)
    const localHolidays = yield* parseHolidays(input)
    return {
      cnpj,
      name: input.name.trim(),
      city: input.city.trim(),
      pixKey: input.pixKey,
      walletActive: input.walletActive ?? true,
      ownBankDomicile: input.ownBankDomicile ?? true,
      graceDays: input.graceDays,
      ...(fees && { fees }),
      ...(genericPayer && { genericPayer }),
      ...(localHolidays && { localHolidays }),
    }
  })
