import * as Result from "effect/Result"
import * as Money from "../model/money/Money.ts"
import * as Cnpj from "../model/party/Cnpj.ts"
import * as Cpf from "../model/party/Cpf.ts"
import * as TaxId from "../model/party/TaxId.ts"
import { rule } from "./Rule.ts"

/**
 * Formats centavos as an amount in reais. Error: `InvalidAmount`.
 *
 * @example
 * ```ts
 * import { formatBrl } from "@pixcharge/core/plain"
 *
 * formatBrl(1990) // => "R$ 19,90"
 * ```
 */
export const formatBrl = /* @__PURE__ */ rule((cents: number) => Result.map(Money.parseCents(cents), Money.formatBrl))

/** Converts reais to centavos exactly: 19.9 is 1990, and 1.005 is refused. Error: `InvalidAmount`. */
export const centsFromReais = /* @__PURE__ */ rule(Money.centsFromReais)

/** The nearest number in reais: 1990 is 19.9. Error: `InvalidAmount`. */
export const reaisFromCents = /* @__PURE__ */ rule((cents: number) =>
  Result.map(Money.parseCents(cents), Money.reaisFromCents),
)

/** Centavos in API Pix's form: 1990 is "19.90". Error: `InvalidAmount`. */
export const decimalFromCents = /* @__PURE__ */ rule((cents: number) =>
  Result.map(Money.parseCents(cents), Money.decimalFromCents),
)

/** An API Pix amount in centavos: "19.90" is 1990. Error: `InvalidAmount`. */
export const centsFromDecimal = /* @__PURE__ */ rule(Money.centsFromDecimal)

/**
 * Parses a CPF, bare or punctuated as `000.000.000-00`, to its 11 digits. Error: `InvalidTaxId`.
 *
 * @example
 * ```ts
 * import { parseCpf } from "@pixcharge/core/plain"
 *
 * parseCpf("529.982.247-25") // => "52998224725"
 * parseCpf.safe("529.982.247-26").ok // => false
 * ```
 */
export const parseCpf = /* @__PURE__ */ rule(Cpf.parseCpf)

/**
 * Parses a CNPJ, numeric or alphanumeric, bare or punctuated as `00.000.000/0000-00`, to its 14 characters. Error:
 * `InvalidTaxId`.
 */
export const parseCnpj = /* @__PURE__ */ rule(Cnpj.parseCnpj)

/** Parses a CPF or a CNPJ, by its length, to its bare form. Error: `InvalidTaxId`. */
export const parseTaxId = /* @__PURE__ */ rule(TaxId.parseTaxId)

/** Masks a CPF or CNPJ as on receipts, which show its middle six characters. Error: `InvalidTaxId`. */
export const maskTaxId = /* @__PURE__ */ rule((text: string) => Result.map(TaxId.parseTaxId(text), TaxId.maskTaxId))
