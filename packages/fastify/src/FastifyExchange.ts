import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { makeCallerSignal, pathAndQuery, readStream, refuseUnread } from "@pixcharge/http/binding"
import type { FastifyReply, FastifyRequest } from "fastify"
import { Readable } from "node:stream"

/** `url` is the path below the mount. It is a class for speed, like `ExpressExchange`. */
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

  /** The caller's address by the host's setting `trustProxy`. */
  get address(): string | undefined {
    return this.#request.ip
  }

  // Reads the raw headers, because the plugin removes headers from `request.headers` if Fastify would refuse them.
  header(name: string): string | undefined {
    const value = this.#request.raw.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const { body, raw } = this.#request
    const refused = refuseUnread(this, maxBytes)
    // The host's `preParsing` hook can replace the stream.
    return refused ?? readStream(body instanceof Readable ? body : raw, maxBytes)
  }

  get signal(): AbortSignal {
    return (this.#signal ??= makeCallerSignal(this.#reply.raw))
  }
}
