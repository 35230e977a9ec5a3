import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** The path of a URL below its mount without query, doubled slashes and a last one: `//webhooks/pix/?a=b` is `/webhooks/pix`. */
export const plainPath = (url: string): string => {
  const query = url.indexOf("?")
  return (query < 0 ? url : url.slice(0, query)).replace(/\/{2,}/g, "/").replace(/\/$/, "")
}

/** The text that a percent-encoding stands for; undefined for a broken one. */
export const percentDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Another site can let its own name resolve to this machine, but can't change the `Host` header. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** Headers of proxies. Behind a proxy, the host isn't the one that the caller named. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const

/**
 * Whether a request names this machine, and comes through no proxy.
 *
 * `target` is the target of its request line: in `GET http://evil.example/` that name counts, and not the `Host` header (RFC 9112
 * §3.2.2).
 */
export const meansThisMachine = (target: string, header: (name: string) => string | undefined): boolean =>
  target.startsWith("/") && ownHost.test(header("host") ?? "") && forwarding.every((name) => header(name) === undefined)

const delaySeconds = /^\d{1,9}$/
// A date's parser takes "-5" for a date, too.
const httpDate = /^[A-Z][a-z]{2,8}, /

/**
 * How many milliseconds a `Retry-After` header asks to wait, from 0: seconds, or the time until an HTTP-date (RFC 9110
 * §10.2.3). Undefined for a header that says neither. `nowMs` is the present in epoch milliseconds.
 */
export const parseRetryAfter = (header: string, nowMs: number): number | undefined => {
  const text = header.trim()
  if (delaySeconds.test(text)) return Number(text) * 1_000
  const until = httpDate.test(text) ? DateTime.make(text) : Option.none()
  return Option.isNone(until) ? undefined : Math.max(0, DateTime.toEpochMillis(until.value) - nowMs)
}

/** Enough for a client that writes JSON token by token. */
const maxPieces = 256
/** Beyond those, one piece more for this many bytes: a segment of TCP has more than five hundred. */
const minPieceBytes = 64

/**
 * Collects the pieces of a body, up to a limit in bytes and in number: a piece costs its reader microseconds however small it
 * is, and a sender of one-byte pieces pays for the bytes alone.
 */
export class Pieces {
  readonly #maxBytes: number
  readonly #kept: Array<Uint8Array> = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Adds a piece. Returns false once a limit is exceeded: nothing more should be read. */
  add(piece: Uint8Array): boolean {
    this.#kept.push(piece)
    this.#size += piece.byteLength
    return this.#size <= this.#maxBytes && this.#kept.length <= maxPieces + this.#size / minPieceBytes
  }

  /** All of them as one; a single piece as it is. */
  join(): Uint8Array {
    const [only] = this.#kept
    if (this.#kept.length === 1 && only !== undefined) return only
    const bytes = new Uint8Array(this.#size)
    let offset = 0
    for (const piece of this.#kept) {
      bytes.set(piece, offset)
      offset += piece.byteLength
    }
    return bytes
  }
}

/** What was read of a body. */
export interface BytesRead {
  readonly bytes: Uint8Array
  /** False: the body is longer than the limit, or in more pieces than `Pieces` takes, and `bytes` are its beginning. */
  readonly isWhole: boolean
}

/**
 * Reads a body until it ends or turns out to be longer than the limit, or in too many pieces; then the rest of it is
 * cancelled. Null is an empty body. Rejects with the error of a body that breaks off.
 */
export const readUpTo = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<BytesRead> => {
  const pieces = new Pieces(maxBytes)
  for await (const piece of body ?? []) {
    // Leaving the loop cancels the stream.
    if (!pieces.add(piece)) return { bytes: pieces.join(), isWhole: false }
  }
  return { bytes: pieces.join(), isWhole: true }
}

/** One HTTP request as plain data, independent of the framework. */
export interface Exchange {
  /** Upper-case. */
  readonly method: string
  /** Path and query as they came, percent-encoding untouched, the mount's prefix taken off. */
  readonly url: string
  /** Path and query as they came to the host's framework, the mount's prefix included. */
  readonly fullUrl: string
  /** The caller's address as the binding knows it; behind proxies, as the host's framework is configured to trust them. */
  readonly address?: string | undefined
  /**
   * The request as the host's framework has it, with what the host put on it, such as a session: `Request` of Express,
   * `FastifyRequest`, `Context` of Hono, otherwise the web's `Request`.
   */
  readonly frameworkRequest?: unknown
  /** A header's value by its lower-case name; several values joined by `, `. */
  header(name: string): string | undefined
  /**
   * What a parser of the host's refused of the body, if one did: what the host has between its parser and the routes, such as
   * a guard, was passed over, so that the refusal is the whole answer.
   */
  readonly refusedBody?: RefusedBody | undefined
  /** The body: as text read up to a limit in bytes, or as the value that the host's own parser made of it before. */
  body(maxBytes: number): Promise<ExchangeBody>
  /**
   * Aborted when the caller goes away before the whole answer was sent. It is there to end streams; what a request has
   * begun to write is finished all the same (decision 33).
   */
  readonly signal: AbortSignal
}

/** What a request's body turned out to be. */
export type ExchangeBody =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Parsed"; readonly value: unknown }
  | RefusedBody

/** Why a body can't be used. */
export type RefusedBody =
  | { readonly _tag: "TooLarge" }
  /** No text in UTF-8, with its bytes; or no JSON: the caller went away, or the host's parser refused it. */
  | { readonly _tag: "Unreadable"; readonly bytes?: Uint8Array }
  /** In an encoding that nobody decoded. */
  | { readonly _tag: "Unsupported" }

/** One HTTP answer as plain data. */
export interface Reply {
  readonly status: number
  /** By lower-case names, without `content-length`: the binding adds it. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Texts and bytes are sent with their length. A stream is sent as it comes, no faster than the caller reads; it is
   * cancelled when the caller goes away or asked by `HEAD`, and an error of it breaks the connection off.
   */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>
}
