import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import { parsePixKey, type PixKey as KeyOfKind } from "../model/brcode/PixKey.ts"
import { parsedCodec, refusalOfOthers } from "./parsedCodec.ts"
import { wireText } from "./wireForms.ts"

const makeCodec = (): Schema.Codec<KeyOfKind, string> => {
  const wire = wireText(refusalOfOthers(parsePixKey), {
    identifier: "PixKey",
    description:
      "A Pix key as the DICT registers it: CPF, CNPJ, phone with + and country, lower-case e-mail or lower-case random key.",
    keywords: { pattern: "^[!-~]{1,77}$" },
  })
  return parsedCodec(wire, { name: "PixKey", parse: parsePixKey, write: ({ key }) => Result.succeed(key) })
}

export type PixKey = KeyOfKind
/** A Pix key: its text on the wire, with its kind when it is read. */
export const PixKey = /* @__PURE__ */ makeCodec()
