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
