import type * as Result from "effect/Result"
import { type Cnpj, mayHold, parseCnpj } from "./Cnpj.ts"
import { type Cpf, parseCpf } from "./Cpf.ts"
import { type InvalidTaxId, invalidTaxId, separators, shapeFlaw } from "./InvalidTaxId.ts"

export type TaxId = Cpf | Cnpj

/** Parses a CPF or CNPJ; the length without punctuation tells which. */
export const parseTaxId = (text: string): Result.Result<TaxId, InvalidTaxId> => {
  if (typeof text !== "string") return invalidTaxId("taxId", "character")
  const length = text.replace(separators, "").length
  if (length === 11) return parseCpf(text)
  if (length === 14) return parseCnpj(text)
  return invalidTaxId("taxId", shapeFlaw(text, mayHold, 14))
}

const punctuation = /[./ -]/g
const smallLetters = /[a-z]+/g

/**
 * Tidies a tax id for parsing: removes dots, dashes, slashes and spaces, raises a to z (decision 1), and leaves all other
 * characters. A value that isn't a string becomes an empty string, which every parser refuses.
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
    .replace(punctuation, "")
    .replace(smallLetters, (letters) => letters.toUpperCase())

export const isCpf = (taxId: TaxId): taxId is Cpf => taxId.length === 11

/**
 * A tax id as receipts show it: `***.456.789-**` for a CPF, `**.345.678/****-**` for a CNPJ (decision 25).
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
