import type * as Result from "effect/Result"
import { type Cnpj, mayHold, parseCnpj } from "./Cnpj.ts"
import { type Cpf, parseCpf } from "./Cpf.ts"
import { type InvalidTaxId, invalidTaxId, separators, shapeFlaw } from "./InvalidTaxId.ts"

/** A payer's or receiver's number in the federal registry: a person's CPF or a company's CNPJ. */
export type TaxId = Cpf | Cnpj

/** A text is read as a CPF if it has 11 characters without a mask, as a CNPJ if it has 14; anything else is refused. */
export const parseTaxId = (text: string): Result.Result<TaxId, InvalidTaxId> => {
  if (typeof text !== "string") return invalidTaxId("taxId", "character")
  const length = text.replace(separators, "").length
  if (length === 11) return parseCpf(text)
  if (length === 14) return parseCnpj(text)
  return invalidTaxId("taxId", shapeFlaw(text, mayHold, 14))
}

const maskAndSpaces = /[./ -]/g
const smallLetters = /[a-z]+/g

/**
 * What a person or an older system wrote, made ready to be parsed: dots, dashes, slashes and spaces are dropped
 * wherever they stand, and a to z become capitals (decision 1). Nothing else is touched or guessed; what is
 * no text at all becomes an empty one, which no parser takes.
 *
 * Only these letters are raised: a full upper-casing would make a valid `I` of a dotless `ı`.
 *
 * @example
 * ```ts
 * import { normalizeTaxId } from "@pixcharge/core/party"
 *
 * normalizeTaxId(" 12.abc.345/01de-35") // => "12ABC34501DE35"
 * ```
 */
export const normalizeTaxId = (text: string): string =>
  (typeof text === "string" ? text : "")
    .replace(maskAndSpaces, "")
    .replace(smallLetters, (letters) => letters.toUpperCase())

/** A CPF has 11 characters, a CNPJ has 14. */
export const isCpf = (taxId: TaxId): taxId is Cpf => taxId.length === 11

/**
 * A document as receipts show it: its middle six characters, `***.456.789-**` for a CPF and `**.345.678/****-**` for a
 * CNPJ (decision 25).
 *
 * @example
 * ```ts
 * import { maskTaxId, parseTaxId } from "@pixcharge/core/party"
 * import * as Result from "effect/Result"
 *
 * maskTaxId(Result.getOrThrow(parseTaxId("52998224725"))) // => "***.982.247-**"
 * ```
 */
export const maskTaxId = (taxId: TaxId): string =>
  isCpf(taxId)
    ? `***.${taxId.slice(3, 6)}.${taxId.slice(6, 9)}-**`
    : `**.${taxId.slice(2, 5)}.${taxId.slice(5, 8)}/****-**`
