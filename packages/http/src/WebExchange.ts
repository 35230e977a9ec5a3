import type { Exchange, ExchangeBody } from "@pixcharge/core"
import type { Readable } from "node:stream"
import { leavesUnread, readBody, readStream, readWholeBody, refuseUnread } from "./exchangeBody.ts"
import { pathAndQuery } from "./paths.ts"

export interface WebHost {
  /** The framework's function that reads the body, even if the host's middleware has already read it. */
  readonly readWhole?: () => Promise<ArrayBuffer>
  readonly address?: string | undefined
  /** The second argument of the host's handler. */
  readonly env?: unknown
  readonly frameworkRequest?: unknown
}

/** An exchange of a web `Request`; `url` is the path below the mount. It is a class for speed, like `ExpressExchange`. */
export class WebExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly address: string | undefined
  readonly frameworkRequest: unknown
  readonly #request: Request
  readonly #host: WebHost
  #body: ExchangeBody | undefined

  constructor(request: Request, url: string, host: WebHost) {
    this.method = request.method
    this.url = url
    this.address = host.address
    this.frameworkRequest = host.frameworkRequest ?? request
    this.#request = request
    this.#host = host
  }

  get fullUrl(): string {
    return pathAndQuery(this.#request.url)
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  body(maxBytes: number): Promise<ExchangeBody> {
    const refused = refuseUnread(this, maxBytes)
    if (refused !== undefined) return Promise.resolve(refused)
    return this.#read(maxBytes).then((body) => (this.#body = body))
  }

  #read(maxBytes: number): Promise<ExchangeBody> {
    const { readWhole, env } = this.#host
    // Only an unread body without a declared length needs a byte count while it arrives.
    const isBounded = this.header("content-length") !== undefined || this.#request.bodyUsed
    if (readWhole !== undefined && isBounded) return readWholeBody(readWhole, maxBytes)
    const stream = findNodeBody(this.#request, env)
    return stream === undefined ? readBody(this.#request.body, maxBytes) : readStream(stream, maxBytes)
  }

  get hasUnreadBody(): boolean {
    return leavesUnread(this, this.#body) && !(this.#body === undefined && this.#request.bodyUsed)
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}

const isUnread = (value: unknown): value is Readable => {
  const { resume, readableDidRead } = Object(value) as Partial<Readable>
  return typeof resume === "function" && readableDidRead === false
}

/**
 * The Node stream behind a web request, if its body is neither read nor replaced. Reading the web stream would take several
 * times as long.
 *
 * `env` comes from `@hono/node-server`, whose requests refer to `incoming`, and to a real `Request` once a caller needs one.
 */
const findNodeBody = (request: Request, env: unknown): Readable | undefined => {
  const { incoming } = Object(env) as { readonly incoming?: unknown }
  if (!isUnread(incoming)) return undefined
  const parts = Object.getOwnPropertySymbols(request).map((key): unknown => Reflect.get(request, key))
  return parts.includes(incoming) && !parts.some((part) => part instanceof Request) ? incoming : undefined
}
