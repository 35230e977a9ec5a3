import * as Result from "effect/Result"
import * as Money from "../model/money/Money.ts"
import { rule } from "./Rule.ts"

/**
 * Centavos as Brazilians write reais. Error: `InvalidAmount`.
 *
 * @example
 * ```ts
 * import { formatBrl } from "@pixcharge/core/plain"
 *
 * formatBrl(1990) // => "R$ 19,90"
 * ```
 */
export const formatBrl = /* @__PURE__ */ rule((cents: number) => Result.map(Money.parseCents(cents), Money.formatBrl))

/** Reais become centavos exactly or not at all: 19.9 is 1990, and 1.005 is refused. Error: `InvalidAmount`. */
export const centsFromReais = /* @__PURE__ */ rule(Money.centsFromReais)

/** Centavos become the number nearest to them in reais: 1990 is 19.9. Error: `InvalidAmount`. */
export const reaisFromCents = /* @__PURE__ */ rule((cents: number) =>
  Result.map(Money.parseCents(cents), Money.reaisFromCents),
)

/** Centavos as API Pix writes them: 1990 is "19.90". Error: `InvalidAmount`. */
export const decimalFromCents = /* @__PURE__ */ rule((cents: number) =>
  Result.map(Money.parseCents(cents), Money.decimalFromCents),
)

/** An API Pix amount in centavos: "19.90" is 1990. Error: `InvalidAmount`. */
export const centsFromDecimal = /* @__PURE__ */ rule(Money.centsFromDecimal)
