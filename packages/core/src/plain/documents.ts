import * as Result from "effect/Result"
import * as Cnpj from "../party/Cnpj.ts"
import * as Cpf from "../party/Cpf.ts"
import { type InvalidTaxId, invalidTaxId, type TaxIdKind } from "../party/InvalidTaxId.ts"
import * as TaxId from "../party/TaxId.ts"
import { rule } from "./Rule.ts"

/** Refuses what isn't a text before it is parsed: JavaScript may pass any value. */
export const parseText =
  <A>(kind: TaxIdKind, parse: (text: string) => Result.Result<A, InvalidTaxId>) =>
  (text: string): Result.Result<A, InvalidTaxId> =>
    typeof text === "string" ? parse(text) : invalidTaxId(kind, "character")

/**
 * A CPF, bare or masked `000.000.000-00`, as its 11 digits. Error: `InvalidTaxId`.
 *
 * @example
 * ```ts
 * import { parseCpf } from "@pixcharge/core/plain"
 *
 * parseCpf("529.982.247-25") // => "52998224725"
 * parseCpf.safe("529.982.247-26").ok // => false
 * ```
 */
export const parseCpf = /* @__PURE__ */ rule(parseText("cpf", Cpf.parseCpf))

/** A CNPJ, numeric or alphanumeric, bare or masked `00.000.000/0000-00`, as its 14 characters. Error: `InvalidTaxId`. */
export const parseCnpj = /* @__PURE__ */ rule(parseText("cnpj", Cnpj.parseCnpj))

/** A CPF or a CNPJ without its mask, by its length. Error: `InvalidTaxId`. */
export const parseTaxId = /* @__PURE__ */ rule(parseText("taxId", TaxId.parseTaxId))

/** Whether a text is a CPF, bare or masked. */
export const isValidCpf = (text: string): boolean => typeof text === "string" && Cpf.isValidCpf(text)

/** Whether a text is a CNPJ, bare or masked. */
export const isValidCnpj = (text: string): boolean => typeof text === "string" && Cnpj.isValidCnpj(text)

/** A CPF or CNPJ as receipts show it: its middle six characters. Error: `InvalidTaxId`. */
export const maskTaxId = /* @__PURE__ */ rule((text: string) =>
  Result.map(parseText("taxId", TaxId.parseTaxId)(text), TaxId.maskTaxId),
)
