import type { Exchange, ExchangeBody } from "@pixcharge/core"

/**
 * The same exchange, which passes its body to `onBody` once it is read. It reads nothing of the other before it is asked for:
 * for a signal alone, frameworks set up a request of their own.
 */
export class WatchedExchange implements Exchange {
  readonly #watched: Exchange
  readonly #onBody: (body: ExchangeBody) => void

  constructor(watched: Exchange, onBody: (body: ExchangeBody) => void) {
    this.#watched = watched
    this.#onBody = onBody
  }

  get method(): string {
    return this.#watched.method
  }

  get url(): string {
    return this.#watched.url
  }

  get fullUrl(): string {
    return this.#watched.fullUrl
  }

  get address(): Exchange["address"] {
    return this.#watched.address
  }

  get refusedBody(): Exchange["refusedBody"] {
    return this.#watched.refusedBody
  }

  get frameworkRequest(): unknown {
    return this.#watched.frameworkRequest
  }

  get signal(): AbortSignal {
    return this.#watched.signal
  }

  header(name: string): string | undefined {
    return this.#watched.header(name)
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const body = await this.#watched.body(maxBytes)
    this.#onBody(body)
    return body
  }
}
