import * as Data from "effect/Data"
import * as Result from "effect/Result"
import { writtenKeyViolation } from "../brcode/PixKey.ts"
import { type LocalDate, parseLocalDate } from "../calendar/LocalDate.ts"
import { isPayerName, parsePayer } from "../charge/ChargeRequest.ts"
import { type Fees, type FeesInput, parseFees } from "../money/Fees.ts"
import type { Payer } from "./Payer.ts"
import { type Cnpj, parseCnpj } from "./Cnpj.ts"
import type { Company } from "./Company.ts"
import type { Reseller } from "./Reseller.ts"
import { normalizeTaxId } from "./TaxId.ts"

/** A reseller's registration as a host writes it down. */
export interface ResellerInput {
  readonly cnpj: string
  readonly name: string
  /** True unless told. */
  readonly walletActive?: boolean
}

/** A company's registration as a host writes it down, in plain values. */
export interface CompanyInput {
  /** Masked or not. */
  readonly cnpj: string
  readonly name: string
  readonly city: string
  readonly pixKey: string
  /** At least 1. */
  readonly graceDays: number
  /** True unless told. */
  readonly walletActive?: boolean
  /** True unless told. */
  readonly ownBankDomicile?: boolean
  readonly fees?: FeesInput
  readonly genericPayer?: { readonly name: string; readonly taxId: string }
  /** `YYYY-MM-DD` each. */
  readonly localHolidays?: ReadonlyArray<string>
}

/** A registration that can't be; `field` says which part of it, and the message is for whoever wrote it down. */
export class InvalidRegistration extends Data.TaggedError("InvalidRegistration")<{
  /** The CNPJ as it was written. */
  readonly cnpj: string
  readonly field: string
  readonly problem: string
}> {
  override get message(): string {
    return `the registration of "${this.cnpj}" can't be used: ${this.field} ${this.problem}`
  }
}

type Parsed<A> = Result.Result<A, InvalidRegistration>

const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))

/** More days would outlast any charge. */
const mostGraceDays = 3650

const parseHolder = (cnpj: string): Parsed<Cnpj> => {
  const parsed = parseCnpj(normalizeTaxId(cnpj))
  return Result.isSuccess(parsed) ? Result.succeed(parsed.success) : refuse(cnpj, "cnpj", "is no valid CNPJ")
}

/** A reseller's registration is sound with a valid CNPJ and a name. */
export const parseReseller = (input: ResellerInput): Parsed<Reseller> =>
  Result.flatMap(parseHolder(input.cnpj), (cnpj) =>
    isText(input.name)
      ? Result.succeed({ cnpj, name: input.name.trim(), walletActive: input.walletActive ?? true })
      : refuse(input.cnpj, "name", nameRule),
  )

// Names are shown on receipts and in codes, a line break in one would forge a line there.
const isText = (text: unknown): boolean => typeof text === "string" && isPayerName(text)
const nameRule = "must have 1 to 200 characters, none of them a control character"

const parseGenericPayer = ({ cnpj, genericPayer }: CompanyInput): Parsed<Payer | undefined> => {
  if (genericPayer === undefined) return Result.succeed(undefined)
  if (!isText(genericPayer.name)) return refuse(cnpj, "genericPayer.name", nameRule)
  const payer = parsePayer(genericPayer)
  return Result.isSuccess(payer)
    ? Result.succeed(payer.success)
    : refuse(cnpj, "genericPayer.taxId", "is no valid CPF or CNPJ")
}

const parseFeesOf = ({ cnpj, fees }: CompanyInput): Parsed<Fees | undefined> => {
  if (fees === undefined) return Result.succeed(undefined)
  if (fees === null || typeof fees !== "object") return refuse(cnpj, "fees", "must be an object")
  const parsed = parseFees(fees)
  return Result.isSuccess(parsed)
    ? Result.succeed(parsed.success)
    : refuse(cnpj, `fees.${parsed.failure.field}`, parsed.failure.message)
}

const parseHolidays = ({ cnpj, localHolidays }: CompanyInput): Parsed<ReadonlyArray<LocalDate> | undefined> => {
  const days: Array<LocalDate> = []
  for (const text of localHolidays ?? []) {
    const day = parseLocalDate(text)
    if (Result.isFailure(day)) return refuse(cnpj, "localHolidays", `has ${text}, which is no day as YYYY-MM-DD`)
    days.push(day.success)
  }
  return Result.succeed(localHolidays && days)
}

const flawOfCompany = ({ name, city, pixKey, graceDays }: CompanyInput): readonly [string, string] | undefined => {
  for (const [field, text] of Object.entries({ name, city, pixKey })) {
    if (!isText(text)) return [field, nameRule]
  }
  const key = writtenKeyViolation(pixKey)
  if (key !== undefined) return ["pixKey", key.message.slice(key.field.length + 1)]
  return Number.isInteger(graceDays) && graceDays >= 1 && graceDays <= mostGraceDays
    ? undefined
    : ["graceDays", `must be a whole number from 1 to ${mostGraceDays}`]
}

/** A company's registration is sound if each part of it is; the first that isn't is named. Its reseller comes apart. */
export const parseCompany = (input: CompanyInput): Parsed<Company> =>
  Result.gen(function* () {
    const cnpj = yield* parseHolder(input.cnpj)
    const flaw = flawOfCompany(input)
    if (flaw !== undefined) return yield* refuse(input.cnpj, ...flaw)
    const fees = yield* parseFeesOf(input)
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
