import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import type { BankWays } from "./BankOptions.ts"
import type { BankAnswer } from "./problems.ts"

const escapedControl = /\\(?:u00([01][0-9a-f])|([bfnrt\\"]))/g
const shortEscapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

/** A body as this bank writes it: JSON, or almost. */
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

/** An answer on the wire, in this bank's encodings, named by a header. */
export const encodeAnswer = ({ status, body, contentType = "application/json" }: BankAnswer, ways: BankWays) => {
  if (body === undefined) return { status, headers: {}, bytes: undefined }
  const { contentCodings } = ways
  return {
    status,
    headers: {
      "content-type": contentType,
      // Deflate without its wrapper has the same name.
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
