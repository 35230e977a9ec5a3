import type { Reply } from "@pixcharge/core"
import { Buffer } from "node:buffer"
import type { Responder } from "./Responder.ts"
import { WebExchange } from "./WebExchange.ts"
import { notFoundReply } from "./wire/Envelope.ts"

/** Path and query of a URL, percent-encoding untouched. */
export const pathAndQuery = (url: string): string => {
  const authority = url.indexOf("//")
  const slash = url.indexOf("/", authority < 0 ? 0 : authority + 2)
  return slash < 0 ? "/" : url.slice(slash)
}

/** The length of a reply's body in bytes; undefined for a stream. */
const byteLength = (body: Reply["body"]): number | undefined => {
  if (typeof body === "string") return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.byteLength : undefined
}

/** A reply as a web `Response`. Not every server works the length out by itself. */
export const webResponse = ({ status, headers, body }: Reply): Response => {
  const length = byteLength(body)
  const withLength = length === undefined ? headers : { ...headers, "content-length": String(length) }
  return new Response(body, { status, headers: withLength })
}

/** pixcharge as a web handler: what is none of its routes is a 404 in the error shape. */
export const fetchHandler =
  (pix: Responder) =>
  async (request: Request): Promise<Response> =>
    webResponse((await pix.respond(new WebExchange(request, pathAndQuery(request.url)))) ?? notFoundReply)
