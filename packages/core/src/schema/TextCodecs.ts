import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { type LocalDate as Day, parseLocalDate } from "../model/calendar/LocalDate.ts"
import { type ChargeId as Id, parseChargeId } from "../model/charge/ChargeId.ts"
import { type Cnpj as CompanyNumber, parseCnpj } from "../model/party/Cnpj.ts"
import { type Cpf as PersonNumber, parseCpf } from "../model/party/Cpf.ts"
import { parseTaxId, type TaxId as EitherNumber } from "../model/party/TaxId.ts"
import { parsedCodec, type Refusal, refusalOfOthers } from "./parsedCodec.ts"
import { uuidKeywords, type WireForm, wireText } from "./wireForms.ts"

/** The codec of a branded text, which is its own wire form. */
const textCodec = <A extends string>(
  name: string,
  parse: (text: string) => Result.Result<A, Refusal>,
  form: WireForm,
): Schema.Codec<A, string> =>
  parsedCodec(wireText(refusalOfOthers(parse), { identifier: name, ...form }), { name, parse, write: Result.succeed })

const cpf = "\\d{11}|\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}"
const cnpj = "[0-9A-Z]{12}\\d{2}|[0-9A-Z]{2}\\.[0-9A-Z]{3}\\.[0-9A-Z]{3}/[0-9A-Z]{4}-\\d{2}"

export type Cnpj = CompanyNumber
/** A CNPJ, bare or masked on the wire; written bare. */
export const Cnpj = /* @__PURE__ */ textCodec("Cnpj", parseCnpj, {
  description: "A CNPJ with right check digits, bare or masked; it may have capital letters.",
  keywords: { pattern: `^(${cnpj})$` },
})

export type Cpf = PersonNumber
/** A CPF, bare or masked on the wire; written bare. */
export const Cpf = /* @__PURE__ */ textCodec("Cpf", parseCpf, {
  description: "A CPF with right check digits, bare or masked.",
  keywords: { pattern: `^(${cpf})$` },
})

export type TaxId = EitherNumber
/** A CPF or a CNPJ, bare or masked on the wire; written bare. */
export const TaxId = /* @__PURE__ */ textCodec("TaxId", parseTaxId, {
  description: "A CPF or a CNPJ with right check digits, bare or masked.",
  keywords: { pattern: `^(${cpf}|${cnpj})$` },
})

export type ChargeId = Id
/** The id of a charge: a UUID in any case on the wire; written in lower case. */
export const ChargeId = /* @__PURE__ */ textCodec("ChargeId", parseChargeId, {
  description: "The UUID under which a charge was issued.",
  keywords: uuidKeywords,
})

export type LocalDate = Day
/** A day, `YYYY-MM-DD`. */
export const LocalDate = /* @__PURE__ */ textCodec("LocalDate", parseLocalDate, {
  description: "An existing day, written YYYY-MM-DD.",
  keywords: { format: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
})
