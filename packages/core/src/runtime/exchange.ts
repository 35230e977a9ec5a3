/** `//webhooks/pix/?a=b` is `/webhooks/pix`. */
export const plainPath = (url: string): string => {
  const query = url.indexOf("?")
  return (query < 0 ? url : url.slice(0, query)).replace(/\/{2,}/g, "/").replace(/\/$/, "")
}

export const percentDecode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Another site can resolve its own name to this machine, but can't change the `Host` header. */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i

/** Behind a proxy, `Host` can differ from the caller's. */
const forwarding = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const

/**
 * Whether a request names this machine and passed no proxy.
 *
 * `target` is the target of its request line. In `GET http://evil.example/`, the name `evil.example` counts, not the `Host`
 * header (RFC 9112 §3.2.2).
 */
export const meansThisMachine = (target: string, header: (name: string) => string | undefined): boolean =>
  target.startsWith("/") && ownHost.test(header("host") ?? "") && forwarding.every((name) => header(name) === undefined)

/** Enough for a client that writes JSON token by token. */
const maxPieces = 256
/** One more piece is allowed per this number of bytes. */
const minPieceBytes = 64

/** Collects the pieces of a body. */
export class Pieces {
  readonly #maxBytes: number
  readonly #kept: Array<Uint8Array> = []
  #size = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Returns false over a limit: stop reading then. */
  add(piece: Uint8Array): boolean {
    this.#kept.push(piece)
    this.#size += piece.byteLength
    return this.#size <= this.#maxBytes && this.#kept.length <= maxPieces + this.#size / minPieceBytes
  }

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

export interface BytesRead {
  readonly bytes: Uint8Array
  /** False over the byte or piece limit. `bytes` is then the body's beginning. */
  readonly isWhole: boolean
}

/**
 * Reads up to the end or the limit in bytes and pieces, then cancels the rest. Null is an empty body. Rejects if the body breaks
 * off.
 */
export const readUpTo = async (body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<BytesRead> => {
  const pieces = new Pieces(maxBytes)
  for await (const piece of body ?? []) {
    // Leaving the loop cancels the stream.
    if (!pieces.add(piece)) return { bytes: pieces.join(), isWhole: false }
  }
  return { bytes: pieces.join(), isWhole: true }
}

export interface Exchange {
  /** The HTTP method in upper case. */
  readonly method: string
  /** Path and query below the mount, percent-encoding untouched. */
  readonly url: string
  /** Path and query with the mount's prefix, as the host's framework received them. */
  readonly fullUrl: string
  /** The caller's address; behind proxies it depends on the trust settings of the host's framework. */
  readonly address?: string | undefined
  /**
   * The framework's own request with the host's additions, such as a session: `Request` of Express, `FastifyRequest`, `Context`
   * of Hono, otherwise the web's `Request`.
   */
  readonly frameworkRequest?: unknown
  /** A header's value by its lower-case name; `, ` joins several values. */
  header(name: string): string | undefined
  /**
   * Set if the host's own parser refused the body. The host's code between parser and routes, such as a guard, was then skipped:
   * answer only the refusal.
   */
  readonly refusedBody?: RefusedBody | undefined
  /** The body: text read up to a limit in bytes, or the value that the host's own parser made of it. */
  body(maxBytes: number): Promise<ExchangeBody>
  /**
   * Aborted when the caller leaves before the whole answer was sent. It ends streams; writes that a request began still finish
   * (decision 33).
   */
  readonly signal: AbortSignal
}

export type ExchangeBody =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Parsed"; readonly value: unknown }
  | RefusedBody

export type RefusedBody =
  | { readonly _tag: "TooLarge" }
  /** The body isn't UTF-8 (`bytes` has it) or isn't JSON, the caller left, or the host's parser refused the body. */
  | { readonly _tag: "Unreadable"; readonly bytes?: Uint8Array }
  /** The body has an encoding that wasn't decoded. */
  | { readonly _tag: "Unsupported" }

export interface Reply {
  readonly status: number
  /** Lower-case names, without `content-length`, which the binding adds. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Texts and bytes are sent with their length. A stream is sent no faster than the caller reads, and cancelled when the caller
   * leaves and for `HEAD`; its error breaks the connection off.
   */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array>
}
