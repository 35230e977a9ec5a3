import { promisify } from "node:util"
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib"
import { makeUnanswered } from "./PspUnanswered.ts"

type Decode = (bytes: Uint8Array, limit: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const inflateWrapped: Decode = promisify(inflate)
const inflateBare: Decode = promisify(inflateRaw)

/** The two bytes of zlib's wrapper (RFC 1950 §2.2), which some servers leave out though it belongs to `deflate`. */
const isWrapped = ([method = 0, flags = 0]: Uint8Array): boolean =>
  (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0

const decoders: Readonly<Record<string, Decode>> = {
  identity: async (bytes) => bytes,
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: (bytes, limit) => (isWrapped(bytes) ? inflateWrapped : inflateBare)(bytes, limit),
  br: promisify(brotliDecompress),
}

const maxCodings = 4
const token = /^[\w-]{1,20}$/

const listCodings = (contentEncoding: string): ReadonlyArray<string> =>
  contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter(Boolean)

/** Throws `PspUnanswered` for a `Content-Encoding` that nobody here can undo. */
export const checkEncoding = (contentEncoding: string, known: ReadonlyArray<string> = Object.keys(decoders)): void => {
  const codings = listCodings(contentEncoding)
  const unknown = codings.find((coding) => !known.includes(coding))
  if (unknown !== undefined) {
    throw makeUnanswered(`the answer is encoded as ${token.test(unknown) ? unknown : "something unknown"}`, false)
  }
  if (codings.length > maxCodings) throw makeUnanswered(`the answer is encoded ${codings.length} times over`, false)
}

/** A body without its codings (RFC 9110 §8.4). Rejects with `PspUnanswered`, also for one of more than `maxBytes` after any of them. */
export const decodeBody = async (bytes: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array> => {
  checkEncoding(contentEncoding)
  let decoded = bytes
  try {
    for (const coding of listCodings(contentEncoding).toReversed()) {
      if (decoded.byteLength === 0) break
      decoded = (await decoders[coding]?.(decoded, { maxOutputLength: maxBytes })) ?? decoded
    }
    return decoded
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    throw makeUnanswered(isTooLarge ? "the answer is too large" : "the answer can't be decompressed")
  }
}
