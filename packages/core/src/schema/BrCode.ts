import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { BrCode as Code } from "../model/brcode/BrCode.ts"
import { decodeBrCode } from "../model/brcode/decodeBrCode.ts"
import { encodeBrCode } from "../model/brcode/encodeBrCode.ts"
import { parsedCodec, refusalOfOthers } from "./parsedCodec.ts"
import { wireText } from "./wireForms.ts"

const parse = (text: string) => Result.map(decodeBrCode(text), ({ code }) => code)

const kinds: ReadonlySet<Code["_tag"]> = /* @__PURE__ */ new Set(["Static", "Dynamic", "Recurrence"])

const makeCodec = (): Schema.Codec<Code, string> => {
  const wire = wireText(refusalOfOthers(parse), {
    identifier: "BrCode",
    description: "A BR Code of the Pix, the text of QR Code and Pix Copia e Cola.",
    keywords: { pattern: "^000201[ -~]*6304[0-9A-F]{4}$", maxLength: 512 },
  })
  return parsedCodec(wire, {
    name: "BrCode",
    parse,
    write: encodeBrCode,
    // Not all that is read can be written, and a name with accents is written without them.
    isValue: ({ _tag }) => kinds.has(_tag),
  })
}

export type BrCode = Code
/**
 * What a BR Code says, read strictly. What doesn't belong to the Pix isn't kept, and so isn't written again: a code that is
 * passed on stays a text.
 */
export const BrCode = /* @__PURE__ */ makeCodec()
