import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { BrCode as Code } from "../model/brcode/BrCode.ts"
import { decodeBrCode } from "../model/brcode/decodeBrCode.ts"
import { encodeBrCode } from "../model/brcode/encodeBrCode.ts"
import { declaredType, parsedCodec, refusalOfOthers, textOf, uuidSample } from "./codec.ts"

const parse = (text: string) => Result.map(decodeBrCode(text), ({ code }) => code)

const kinds: ReadonlySet<Code["_tag"]> = /* @__PURE__ */ new Set(["Static", "Dynamic", "Recurrence"])

const matching = (pattern: string) => Schema.String.check(Schema.isPattern(new RegExp(`^${pattern}$`)))

const makeSample = () =>
  Schema.Struct({
    _tag: Schema.tag("Static"),
    key: matching(uuidSample),
    merchantName: matching("[A-Z][a-z]{1,24}"),
    merchantCity: matching("[A-Z][a-z]{1,14}"),
    txid: Schema.optionalKey(matching("[A-Za-z0-9]{1,25}")),
  })

const makeCodec = (): Schema.Codec<Code, string> => {
  const wire = textOf(refusalOfOthers(parse), {
    identifier: "BrCode",
    description: "A Pix BR Code: the text of a QR code or of Pix Copia e Cola.",
    keywords: { pattern: "^000201[ -~]*6304[0-9A-F]{4}$", maxLength: 512 },
  })
  // Some readable codes can't be written, and writing drops the accents of names.
  const type = declaredType<Code>("BrCode", ({ _tag }) => kinds.has(_tag), makeSample())
  return parsedCodec(wire, type, { parse, write: encodeBrCode })
}

export type BrCode = Code
/** A BR Code, read strictly. Drops fields that aren't part of Pix. To forward a code, keep its text. */
export const BrCode = /* @__PURE__ */ makeCodec()
