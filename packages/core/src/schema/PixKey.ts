import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parsePixKey, type PixKey as KeyOfKind, type PixKeyKind } from "../model/brcode/PixKey.ts"
import { cnpjSample, cpfSample, parsedCodec, refusalOf, refusalOfOthers, textOf, uuidSample } from "./codec.ts"

const form = {
  description:
    "A Pix key as the DICT registers it: CPF, CNPJ, phone with + and country, lower-case e-mail or lower-case random key.",
  keywords: { pattern: "^[!-~]{1,77}$" },
}

const message = /* @__PURE__ */ refusalOf("PixKey")

const ofKind = (kind: PixKeyKind, sample: string) =>
  Schema.Struct({ kind: Schema.Literal(kind), key: textOf(message, { ...form, sample: `^${sample}$` }) })

const isValue = (value: KeyOfKind): boolean => Equal.equals(Result.getOrUndefined(parsePixKey(value.key)), value)

const makeType = () =>
  Schema.Union([
    ofKind("cpf", cpfSample),
    ofKind("cnpj", cnpjSample),
    ofKind("phone", "\\+55[1-9]{2}9\\d{8}"),
    ofKind("email", "[a-z0-9]{1,20}@example\\.com"),
    ofKind("random", uuidSample),
  ])
    .annotate({ message, description: "A Pix key and its kind." })
    .check(Schema.makeFilter(isValue, { message }))

const makeCodec = (): Schema.Codec<KeyOfKind, string> =>
  parsedCodec(textOf(refusalOfOthers(parsePixKey), { ...form, identifier: "PixKey" }), makeType(), {
    parse: parsePixKey,
    write: ({ key }) => Result.succeed(key),
  })

export type PixKey = KeyOfKind
/** A Pix key: a string on the wire, decoded with its kind. */
export const PixKey = /* @__PURE__ */ makeCodec()
