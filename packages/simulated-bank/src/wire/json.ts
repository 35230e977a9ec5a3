import * as Predicate from "effect/Predicate"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import type { BankWays } from "./BankOptions.ts"
import type { BankAnswer } from "./BankRequest.ts"

/** Parses JSON without its null fields, because clients write unset fields as null. Throws a `SyntaxError` for other text. */
export const readJson = (text: string): unknown =>
  JSON.parse(text, function (this: unknown, _name, value: unknown) {
    return value === null && !Array.isArray(this) ? undefined : value
  })

export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; none for a value that isn't an object. */
export const fields = (value: unknown): Fields => (Predicate.isObject(value) ? value : {})

const escapedControl = /\\(?:u00([01][0-9a-f])|([bfnrt\\"]))/g
const shortEscapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

/** Writes JSON, or almost JSON: `rawControls` leaves control characters unescaped. */
export const writeJson = (body: unknown, { rawControls }: Pick<BankWays, "rawControls">): string => {
  const json = JSON.stringify(body)
  if (!rawControls) return json
  return json.replace(escapedControl, (escape, code?: string, letter = "") =>
    code === undefined ? (shortEscapes[letter] ?? escape) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const codings = {
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  deflateRaw: deflateRawSync,
  br: brotliCompressSync,
}

/** An answer on the wire, in this bank's encodings. */
export const encodeAnswer = ({ status, body, contentType = "application/json" }: BankAnswer, ways: BankWays) => {
  if (body === undefined) return { status, headers: {}, bytes: undefined }
  const { contentCodings } = ways
  return {
    status,
    headers: {
      "content-type": contentType,
      // Deflate without its zlib wrapper has the same name.
      ...(contentCodings.length > 0 && {
        "content-encoding": contentCodings.map((coding) => (coding === "deflateRaw" ? "deflate" : coding)).join(", "),
      }),
    },
    bytes: contentCodings.reduce<Buffer>(
      (bytes, coding) => codings[coding](bytes),
      Buffer.from(contentType === "application/jose" ? String(body) : writeJson(body, ways)),
    ),
  }
}

/** Fields that a bank with `nulls` sends as null if an object lacks them. */
const oftenNull = ["infoPagador", "componentesValor", "solicitacaoPagador", "motivo"]

const distortObject = (value: object, ways: BankWays): Record<string, unknown> => {
  const entries = Object.entries(value).map(([key, field]) => [key, distort(field, ways)] as const)
  const nulls = ways.nulls ? oftenNull.filter((key) => !(key in value)).map((key) => [key, null] as const) : []
  return Object.fromEntries([...entries, ...nulls])
}

/** An answer with this bank's deviations. */
export const distort = (value: unknown, ways: BankWays): unknown => {
  if (typeof value === "number") return ways.numbersAsText ? String(value) : value
  if (Array.isArray(value)) {
    const items = value.map((item) => distort(item, ways))
    return ways.loneObjects && items.length === 1 ? items[0] : items
  }
  return Predicate.isObject(value) ? distortObject(value, ways) : value
}
