import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readBody, refuseUnread, textBody } from "@pixcharge/http"
import type { Context } from "hono"

/** A request of Hono as an exchange; `url` is what the mount's prefix leaves of its path. */
export class HonoExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly #context: Context

  constructor(context: Context, url: string) {
    this.method = context.req.method
    this.url = url
    this.#context = context
  }

  header(name: string): string | undefined {
    return this.#context.req.header(name)
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const { raw } = this.#context.req
    const refused = refuseUnread(this, maxBytes)
    if (refused !== undefined) return refused
    // Only a body of undeclared length needs counting while it arrives.
    const isBounded = this.header("content-length") !== undefined || raw.bodyUsed
    return isBounded ? this.#wholeBody(maxBytes) : readBody(raw.body, maxBytes)
  }

  get signal(): AbortSignal {
    return this.#context.req.raw.signal
  }

  /** Through Hono's own reader, which also knows the bodies that a host's middleware read before. */
  async #wholeBody(maxBytes: number): Promise<ExchangeBody> {
    try {
      const bytes = new Uint8Array(await this.#context.req.arrayBuffer())
      return bytes.byteLength > maxBytes ? { _tag: "TooLarge" } : textBody(bytes)
    } catch {
      return { _tag: "Unreadable" }
    }
  }
}
