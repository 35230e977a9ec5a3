import type { Exchange, ExchangeBody } from "@pixcharge/core"
import type { RefusedBody } from "@pixcharge/core/internal"
import { makeCallerSignal, pathAndQuery, readStream, refuseUnread, decodeText } from "@pixcharge/http/binding"
import type { Request, Response } from "express"
import { Buffer } from "node:buffer"

const readParsedBody = (request: Request, maxBytes: number): ExchangeBody => {
  const value: unknown = request.body
  const isRaw = typeof value === "string" || value instanceof Uint8Array
  // Without a declared length, counts the bytes of the value's JSON.
  const length = request.headers["content-length"] ?? Buffer.byteLength(isRaw ? value : (JSON.stringify(value) ?? ""))
  if (Number(length) > maxBytes) return { _tag: "TooLarge" }
  if (value === undefined) return { _tag: "Unreadable" }
  if (!isRaw) return { _tag: "Parsed", value }
  return typeof value === "string" ? { _tag: "Text", text: value } : decodeText(value)
}

/** Restores the empty segment after the prefix, which Express 4 counts as part of the prefix. */
const findUrlBelowMount = ({ baseUrl, originalUrl, url }: Request): string => {
  const below = pathAndQuery(url)
  return baseUrl !== "" && originalUrl.endsWith(`${baseUrl}/${below}`) ? `/${below}` : below
}

/**
 * `refusedBody` is set if the host's parser refused the body.
 *
 * It is a class because making an object literal with a getter takes ten times as long, also for each request of the host.
 */
export class ExpressExchange implements Exchange {
  readonly method: string
  readonly url: string
  readonly refusedBody: RefusedBody | undefined
  readonly #request: Request
  readonly #response: Response
  #signal: AbortSignal | undefined

  constructor(request: Request, response: Response, refusedBody?: RefusedBody) {
    this.method = request.method
    this.url = findUrlBelowMount(request)
    this.#request = request
    this.#response = response
    this.refusedBody = refusedBody
  }

  get fullUrl(): string {
    return pathAndQuery(this.#request.originalUrl)
  }

  get frameworkRequest(): Request {
    return this.#request
  }

  /** The caller's address by the host's setting `trust proxy`. */
  get address(): string | undefined {
    return this.#request.ip
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }

  async body(maxBytes: number): Promise<ExchangeBody> {
    const request = this.#request
    if (this.refusedBody !== undefined) return this.refusedBody
    if (request.readableDidRead) return readParsedBody(request, maxBytes)
    const refused = refuseUnread(this, maxBytes)
    return refused ?? readStream(request, maxBytes)
  }

  get signal(): AbortSignal {
    return (this.#signal ??= makeCallerSignal(this.#response))
  }
}
