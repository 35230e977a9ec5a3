import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readBody, refuseUnread } from "./exchangeBody.ts"

/** A web `Request` as an exchange; `url` is what the mount's prefix leaves of its path. */
export class WebExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly #request: Request

  constructor(request: Request, url: string) {
    this.method = request.method
    this.url = url
    this.#request = request
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    return refuseUnread(this, maxBytes) ?? readBody(this.#request.body, maxBytes)
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}
