import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readBody, refuseUnread, textBody } from "@pixcharge/http"
import type { Request, Response } from "express"
import { Buffer } from "node:buffer"

/** What the host's own parser made of the body: a value (`json`), text (`text`) or bytes (`raw`). */
const parsedBody = (value: unknown): ExchangeBody => {
  if (value === undefined) return { _tag: "Unreadable" }
  if (typeof value === "string") return { _tag: "Text", text: value }
  return value instanceof Uint8Array ? textBody(value) : { _tag: "Parsed", value }
}

/** The length in bytes of what a host's parser read; a value's as the JSON that it would be. */
const parsedLength = (request: Request): number => {
  const declared = request.headers["content-length"]
  if (declared !== undefined) return Number(declared)
  const value: unknown = request.body
  if (typeof value === "string") return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(JSON.stringify(value) ?? "")
}

/** Aborts once the connection ends before the whole answer was sent. */
const callerSignal = (response: Response): AbortSignal => {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once("close", () => !response.writableFinished && controller.abort())
  return controller.signal
}

/** A request of Express as an exchange; `refusedBody` is what a body parser of the host made of its body before. */
export class ExpressExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly #request: Request
  readonly #response: Response
  readonly #refusedBody: ExchangeBody | undefined
  #signal: AbortSignal | undefined

  constructor(request: Request, response: Response, refusedBody?: ExchangeBody) {
    this.method = request.method
    this.url = request.url
    this.#request = request
    this.#response = response
    this.#refusedBody = refusedBody
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    if (this.#refusedBody !== undefined) return this.#refusedBody
    const request = this.#request
    if (request.readableDidRead) {
      return parsedLength(request) > maxBytes ? { _tag: "TooLarge" } : parsedBody(request.body)
    }
    // Left early, the socket stays whole, for the answer goes out on it.
    return refuseUnread(this, maxBytes) ?? readBody(request.iterator({ destroyOnReturn: false }), maxBytes)
  }

  get signal(): AbortSignal {
    this.#signal ??= callerSignal(this.#response)
    return this.#signal
  }
}
