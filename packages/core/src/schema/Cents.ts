import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { type Cents as Centavos, parseCents } from "../model/money/Money.ts"
import { parsedCodec, refusalOfOthers } from "./parsedCodec.ts"
import { wireInteger } from "./wireForms.ts"

const makeCodec = (): Schema.Codec<Centavos, number> => {
  const wire = wireInteger(refusalOfOthers(parseCents), {
    identifier: "Cents",
    description: "Whole centavos of a real: 1990 is R$ 19,90.",
    keywords: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  })
  return parsedCodec(wire, { name: "Cents", parse: parseCents, write: Result.succeed })
}

export type Cents = Centavos
/** Whole centavos from 0 on, a number on the wire too. */
export const Cents = /* @__PURE__ */ makeCodec()
