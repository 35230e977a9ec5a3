import { CausedError, readUpTo } from "@pixcharge/core/internal"
import { promisify } from "node:util"
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib"

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The body is text of at most 8 MiB, decompressed. */
export interface HttpAnswer {
  readonly status: number
  readonly retryAfter?: string
  readonly date?: string
  readonly text: string
}

/** `send` rejects if no complete answer comes. An abort ends the call. */
export interface Transport {
  readonly send: (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>
  readonly close: () => void
}

/** Larger than a page of a thousand payments with all their returns. */
const maxAnswerBytes = 8 * 1024 * 1024

const utf8 = new TextDecoder()

export const unencoded = { "accept-encoding": "identity" } as const

/** Rejects if the body exceeds 8 MiB before or after decompression, has more pieces than `Pieces` takes, or breaks off. */
export const readText = async (body: AsyncIterable<Uint8Array> | null, contentEncoding = ""): Promise<string> => {
  const { bytes, isWhole } = await readUpTo(body, maxAnswerBytes)
  if (!isWhole) throw makeUnanswered("the answer is too large, or in too many pieces")
  return utf8.decode(await decodeBody(bytes, contentEncoding, maxAnswerBytes))
}

type Decode = (bytes: Uint8Array, limit: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const inflateWrapped: Decode = promisify(inflate)
const inflateBare: Decode = promisify(inflateRaw)

/** Whether the data begins with zlib's two-byte header (RFC 1950 §2.2), which some servers omit. */
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

/** Throws `PspUnanswered` for an unknown `Content-Encoding`, or one with more than four codings. */
export const checkEncoding = (contentEncoding: string, known: ReadonlyArray<string> = Object.keys(decoders)): void => {
  const codings = listCodings(contentEncoding)
  const unknown = codings.find((coding) => !known.includes(coding))
  if (unknown !== undefined) {
    throw makeUnanswered(`the answer is encoded as ${token.test(unknown) ? unknown : "something unknown"}`, false)
  }
  if (codings.length > maxCodings) throw makeUnanswered(`the answer is encoded ${codings.length} times over`, false)
}

/**
 * Undoes a `Content-Encoding` (RFC 9110 §8.4). Rejects with `PspUnanswered` if it can't, or if the result exceeds
 * `maxBytes`.
 */
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

/**
 * No usable answer came: the bank can have executed the call or not. The error contains no secret.
 *
 * @remedy None of its own: it is the cause of a `ProcessorUnavailable`.
 * @repeat Yes.
 */
export class PspUnanswered extends CausedError("PspUnanswered")<{
  readonly cause: unknown
  /** Whether an immediate retry can succeed. */
  readonly mayRetry: boolean
  /** The wait that the bank requests, in milliseconds. */
  readonly retryAfterMs?: number
  /** The bank certainly didn't execute the call: it was not sent, or the bank answered 429. */
  readonly isNotExecuted?: true
}> {
  override get message(): string {
    return `The bank gave no usable answer, and ${this.isNotExecuted ? "did not act" : "may have acted"}: retry the same call.`
  }
}

export const failNotSent = (cause: string, retryAfterMs: number): PspUnanswered =>
  new PspUnanswered({ cause, mayRetry: false, retryAfterMs, isNotExecuted: true })

export const makeUnanswered = (cause: unknown, mayRetry = true) => new PspUnanswered({ cause, mayRetry })
