import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import type { BankWays } from "./BankOptions.ts"

const escapedControl = /\\(?:u00([01][0-9a-f])|([bfnrt\\"]))/g
const shortEscapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

/** A body as this bank writes it: JSON, or what it takes for JSON. */
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

/** The bytes of a body in this bank's codings, and the header that names them. */
export const encodeBody = (text: string, { contentCodings }: Pick<BankWays, "contentCodings">) => ({
  bytes: contentCodings.reduce<Buffer>((bytes, coding) => codings[coding](bytes), Buffer.from(text)),
  // A deflate without its wrapper goes by the same name.
  ...(contentCodings.length > 0 && {
    contentEncoding: contentCodings.map((coding) => (coding === "deflateRaw" ? "deflate" : coding)).join(", "),
  }),
})
