import * as Result from "effect/Result"
import { type Cents as Centavos, parseCents } from "../model/money/Money.ts"
import { brandedType, integerOf, parsedCodec, refusalOf, refusalOfOthers } from "./codec.ts"

const form = {
  description: "Whole centavos of a real: 1990 is R$ 19,90.",
  keywords: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
}

const makeCodec = () =>
  parsedCodec(
    integerOf(refusalOfOthers(parseCents), { ...form, identifier: "Cents" }),
    brandedType("Cents", integerOf(refusalOf("Cents"), form), parseCents),
    { parse: parseCents, write: Result.succeed },
  )

export type Cents = Centavos
/** Whole centavos from 0; a number on the wire too. */
export const Cents = /* @__PURE__ */ makeCodec()
