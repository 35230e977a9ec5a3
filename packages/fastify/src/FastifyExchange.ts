import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { makeCallerSignal, pathAndQuery, readStream, refuseUnread } from "@pixcharge/http"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Readable } from "node:stream"

/** A request of Fastify as an exchange; `url` is what the mount's prefix leaves of its path. A class, as `ExpressExchange` is. */
export class FastifyExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #signal: AbortSignal | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, url: string) {
    this.method = request.method
    this.url = url
    this.#request = request
    this.#reply = reply
  }

  get fullUrl(): string {
    return pathAndQuery(this.#request.originalUrl)
  }

  get frameworkRequest(): FastifyRequest {
    return this.#request
  }

  /** By the host's setting `trustProxy`. */
  get address(): string | undefined {
    return this.#request.ip
  }

  // Not `request.headers`, of which the plugin has hidden what Fastify refuses by itself.
  header(name: string): string | undefined {
    const value = this.#request.raw.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const { body, raw } = this.#request
    const refused = refuseUnread(this, maxBytes)
    // The stream that a `preParsing` hook of the host made of it.
    return refused ?? readStream(body instanceof Readable ? body : raw, maxBytes)
  }

  get signal(): AbortSignal {
    return (this.#signal ??= makeCallerSignal(this.#reply.raw))
  }
}
