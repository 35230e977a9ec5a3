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

const bodyOf = (request: Request, maxBytes: number): ExchangeBody | Promise<ExchangeBody> => {
  const declared = Number(request.headers["content-length"] ?? 0)
  if (request.readableDidRead) return declared > maxBytes ? { _tag: "TooLarge" } : parsedBody(request.body)
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

const send = (response: Response, { status, headers, body }: Reply): void => {
  // A host's time-out may have answered meanwhile; a caller that went away is no concern of ours.
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
  response.end(body)
}

/** The body that the host's own parser refused, so that its error comes out in our shape, after our own checks. */
const refusedBody = (error: unknown): ExchangeBody | undefined => {
  const status = error instanceof Error && "status" in error ? error.status : undefined
  switch (status) {
    case 400:
      return { _tag: "Unreadable" }
    case 413:
      return { _tag: "TooLarge" }
    case 415:
      return { _tag: "Unsupported" }
    default:
      return undefined
  }
}

/**
 * pixcharge's routes for `app.use`, under any prefix, before or after the host's body parsers. Paths that aren't ours go
 * on to the host. Broken and oversized bodies that the host's parser refuses on our paths are answered in our error shape.
 */
export const pixRouter = (pix: Responder): [RequestHandler, ErrorRequestHandler] => [
  (request, response, next) => {
    if (!pix.handles(request.method, request.url)) return next()
    pix.respond(exchangeOf(request)).then((reply) => send(response, reply), next)
  },
  (error, request, response, next) => {
    const body = pix.handles(request.method, request.url) ? refusedBody(error) : undefined
    if (body === undefined) return next(error)
    pix.respond(exchangeOf(request, body)).then((reply) => send(response, reply), next)
  },
]
