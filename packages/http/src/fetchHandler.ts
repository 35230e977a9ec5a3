import type { Reply } from "@pixcharge/core"
import { Buffer } from "node:buffer"
import { pathAndQuery } from "./pathAndQuery.ts"
import type { Responder } from "./Responder.ts"
import { WebExchange } from "./WebExchange.ts"
import { notFoundReply } from "./wire/Envelope.ts"

/** A reply as a web `Response`. Not every server computes the length by itself, or ends a connection in time. */
export const webResponse = ({ status, headers, body }: Reply, { method, isLeft }: WebExchange): Response => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  const isUnsent = isStream && method === "HEAD"
  if (isUnsent) body.cancel().catch(() => undefined)
  return new Response(isUnsent ? null : body, {
    status,
    headers: {
      ...headers,
      ...(!isStream && { "content-length": String(Buffer.byteLength(body)) }),
      ...(isLeft && { connection: "close" }),
    },
  })
}

/**
 * pixcharge as a web handler, for servers and platforms that take one: a path that is none of its routes is answered with a
 * 404 in the error shape.
 *
 * @example
 * const pix = createPix(options)
 * export default { fetch: fetchHandler(pix) }
 */
export const fetchHandler =
  (pix: Responder) =>
  async (request: Request): Promise<Response> => {
    const exchange = new WebExchange(request, pathAndQuery(request.url))
    return webResponse((await pix.respond(exchange)) ?? notFoundReply, exchange)
  }
