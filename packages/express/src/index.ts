import type { Exchange, ExchangeBody, Reply } from "@pixcharge/core"
import { refusedUnread, type Responder, textBody } from "@pixcharge/http"
import type { ErrorRequestHandler, Request, RequestHandler, Response } from "express"
import { Buffer } from "node:buffer"

const readUpTo = async (request: Request, maxBytes: number): Promise<ExchangeBody> => {
  const chunks: Array<Buffer> = []
  let size = 0
  try {
    // Left early, the socket stays whole, for the answer goes out on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) return { _tag: "TooLarge" }
      chunks.push(chunk)
    }
  } catch {
    return { _tag: "Unreadable" }
  }
  return textBody(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
}

/** What the host's own parser made of the body: a value (`json`), text (`text`) or bytes (`raw`). */
const parsedBody = (value: unknown): ExchangeBody => {
  if (value === undefined) return { _tag: "Unreadable" }
  if (typeof value === "string") return { _tag: "Text", text: value }
  return value instanceof Uint8Array ? textBody(value) : { _tag: "Parsed", value }
}

/** The length of what a host's parser read; a value's as the JSON that it would be. */
const lengthOf = (request: Request): number => {
  const declared = request.headers["content-length"]
  if (declared !== undefined) return Number(declared)
  const value: unknown = request.body
  if (typeof value === "string") return Buffer.byteLength(value)
  return value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(JSON.stringify(value) ?? "")
}

const bodyOf = (request: Request, maxBytes: number): ExchangeBody | Promise<ExchangeBody> => {
  if (request.readableDidRead) return lengthOf(request) > maxBytes ? { _tag: "TooLarge" } : parsedBody(request.body)
  const header = (name: "content-encoding" | "content-length") => request.headers[name]
  return refusedUnread(header as (name: string) => string | undefined, maxBytes) ?? readUpTo(request, maxBytes)
}

const exchangeOf = (request: Request, body?: ExchangeBody): Exchange => ({
  method: request.method,
  url: request.url,
  header: (name) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  },
  body: async (maxBytes) => body ?? bodyOf(request, maxBytes),
})

const send = (request: Request, response: Response, { status, headers, body }: Reply): void => {
  // A host's time-out may have answered meanwhile; a caller that went away is no concern of ours.
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    ...headers,
    "content-length": Buffer.byteLength(body),
    // What was refused unread would otherwise have to be read to its end before the connection's next request.
    ...(!request.complete && { connection: "close" }),
  })
  response.end(body)
}

/** The body that a body parser of the host refused, by the type of its error; undefined for any other error. */
const refusedBody = (error: unknown): ExchangeBody | undefined => {
  const type = error instanceof Error && "type" in error ? error.type : undefined
  switch (type) {
    case "entity.parse.failed":
    case "request.aborted":
    case "request.size.invalid":
      return { _tag: "Unreadable" }
    case "entity.too.large":
      return { _tag: "TooLarge" }
    case "encoding.unsupported":
    case "charset.unsupported":
      return { _tag: "Unsupported" }
    default:
      return undefined
  }
}

/**
 * pixcharge's routes for `app.use`, under any prefix, before or after the host's body parsers. Paths that aren't ours go
 * on to the host. A broken or oversized body that the host's parser refuses on our paths is answered in our error shape;
 * whatever else the host refuses stays refused.
 */
export const pixRouter = (pix: Responder): [RequestHandler, ErrorRequestHandler] => [
  (request, response, next) => {
    if (!pix.handles(request.method, request.url)) return next()
    pix.respond(exchangeOf(request)).then((reply) => send(request, response, reply), next)
  },
  (error, request, response, next) => {
    const body = pix.handles(request.method, request.url) ? refusedBody(error) : undefined
    if (body === undefined) return next(error)
    pix.respond(exchangeOf(request, body)).then((reply) => send(request, response, reply), next)
  },
]
