import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { readBody, refuseUnread, textBody } from "@pixcharge/http"
import type { Request, Response } from "express"
import { Buffer } from "node:buffer"

/** The body that the host's own parser read before: a value (`json`), text (`text`) or bytes (`raw`). */
const parsedBody = (request: Request, maxBytes: number): ExchangeBody => {
  const value: unknown = request.body
  const isRaw = typeof value === "string" || value instanceof Uint8Array
  // Without a declared length a value is as long as the JSON that it would be.
  const length = request.headers["content-length"] ?? Buffer.byteLength(isRaw ? value : (JSON.stringify(value) ?? ""))
  if (Number(length) > maxBytes) return { _tag: "TooLarge" }
  if (value === undefined) return { _tag: "Unreadable" }
  if (!isRaw) return { _tag: "Parsed", value }
  return typeof value === "string" ? { _tag: "Text", text: value } : textBody(value)
}

/** Aborts once the connection ends before the whole answer was sent. */
const callerSignal = (response: Response): AbortSignal => {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  else response.once("close", () => !response.writableFinished && controller.abort())
  return controller.signal
}

/** A request of Express as an exchange; `refusedBody` is what a body parser of the host made of its body before. */
export const expressExchange = (request: Request, response: Response, refusedBody?: ExchangeBody): Exchange => {
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value.join(", ") : value
  }
  let signal: AbortSignal | undefined
  return {
    method: request.method,
    url: request.url,
    header,
    body: async (maxBytes) => {
      if (refusedBody !== undefined) return refusedBody
      if (request.readableDidRead) return parsedBody(request, maxBytes)
      // Destroying the request would destroy the socket, on which the answer is sent.
      return refuseUnread(header, maxBytes) ?? readBody(request.iterator({ destroyOnReturn: false }), maxBytes)
    },
    get signal() {
      return (signal ??= callerSignal(response))
    },
  }
}
