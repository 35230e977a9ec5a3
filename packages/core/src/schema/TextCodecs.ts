import * as Result from "effect/Result"
import { type LocalDate as Day, parseLocalDate } from "../model/calendar/LocalDate.ts"
import { type ChargeId as Id, parseChargeId } from "../model/charge/ChargeId.ts"
import { type Cnpj as CompanyNumber, parseCnpj } from "../model/party/Cnpj.ts"
import { type Cpf as PersonNumber, parseCpf } from "../model/party/Cpf.ts"
import { parseTaxId, type TaxId as EitherNumber } from "../model/party/TaxId.ts"
import {
  brandedType,
  cnpjSample,
  cpfSample,
  type Form,
  type Judged,
  parsedCodec,
  refusalOf,
  refusalOfOthers,
  textOf,
  uuidKeywords,
  uuidSample,
} from "./codec.ts"

const textCodec = <A extends string>(
  name: string,
  parse: (text: string) => Judged<A>,
  wire: Form,
  value: Form = wire,
) =>
  parsedCodec(
    textOf(refusalOfOthers(parse), { ...wire, identifier: name }),
    brandedType(name, textOf(refusalOf(name), value), parse),
    { parse, write: Result.succeed },
  )

interface TaxIdForms {
  readonly bare: string
  readonly punctuated: string
  readonly sample: string
}

const taxIdCodec = <A extends string>(
  name: string,
  subject: string,
  parse: (text: string) => Judged<A>,
  { bare, punctuated, sample }: TaxIdForms,
) =>
  textCodec(
    name,
    parse,
    {
      description: `${subject} with right check digits, with or without punctuation.`,
      keywords: { pattern: `^(${bare}|${punctuated})$` },
    },
    {
      description: `${subject} with right check digits, bare.`,
      keywords: { pattern: `^(${bare})$` },
      sample: `^(${sample})$`,
    },
  )

const cpf = { bare: "\\d{11}", punctuated: "\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}", sample: cpfSample }
const cnpj = {
  bare: "[0-9A-Z]{12}\\d{2}",
  punctuated: "[0-9A-Z]{2}\\.[0-9A-Z]{3}\\.[0-9A-Z]{3}/[0-9A-Z]{4}-\\d{2}",
  sample: cnpjSample,
}
const either = {
  bare: `${cpf.bare}|${cnpj.bare}`,
  punctuated: `${cpf.punctuated}|${cnpj.punctuated}`,
  sample: `${cpf.sample}|${cnpj.sample}`,
}

export type Cnpj = CompanyNumber
/** A CNPJ, with or without punctuation on the wire; written without it. */
export const Cnpj = /* @__PURE__ */ taxIdCodec("Cnpj", "A CNPJ (digits or capital letters)", parseCnpj, cnpj)

export type Cpf = PersonNumber
/** A CPF, with or without punctuation on the wire; written without it. */
export const Cpf = /* @__PURE__ */ taxIdCodec("Cpf", "A CPF", parseCpf, cpf)

export type TaxId = EitherNumber
/** A CPF or a CNPJ, with or without punctuation on the wire; written without it. */
export const TaxId = /* @__PURE__ */ taxIdCodec("TaxId", "A CPF or a CNPJ", parseTaxId, either)

export type ChargeId = Id
/** The id of a charge: a UUID in upper or lower case on the wire; written in lower case. */
export const ChargeId = /* @__PURE__ */ textCodec(
  "ChargeId",
  parseChargeId,
  { description: "The UUID under which a charge was issued.", keywords: uuidKeywords },
  { description: "The UUID of a charge in lower case.", keywords: { format: "uuid", pattern: `^${uuidSample}$` } },
)

export type LocalDate = Day
/** A day, `YYYY-MM-DD`. */
export const LocalDate = /* @__PURE__ */ textCodec("LocalDate", parseLocalDate, {
  description: "An existing day, written YYYY-MM-DD.",
  keywords: { format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
  sample: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
})
