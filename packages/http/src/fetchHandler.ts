import { type Exchange, InvalidOption, type Reply } from "@pixcharge/core"
import { hasBody } from "./exchangeBody.ts"
import { pathAndQuery } from "./paths.ts"
import type { Responder } from "./Responder.ts"
import { WebExchange } from "./WebExchange.ts"
import { notFoundReply } from "./wire/Envelope.ts"

/** What is needed of an exchange to send its reply. */
export interface FramedExchange extends Pick<Exchange, "method"> {
  /** Whether too much of the body is unread for the connection to be used for another request. */
  readonly hasUnreadBody: boolean
}

/** A reply as it is sent to this caller. */
export const frameReply = ({ status, headers, body }: Reply, { method, hasUnreadBody }: FramedExchange) => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  const isUnsent = !hasBody(status) || (isStream && method === "HEAD")
  if (isUnsent && isStream) body.cancel().catch(() => undefined)
  // A server that closes would wait for the connection of a stream, on which its page asks again.
  const endsConnection = isStream || hasUnreadBody
  return {
    status,
    headers: endsConnection ? { ...headers, connection: "close" } : headers,
    body: isUnsent ? null : body,
  }
}

/** A reply as a web `Response`. Its length is the server's to declare: some versions of Hono's declare another one beside it. */
export const toResponse = (reply: Reply, exchange: FramedExchange): Response => {
  const { body, ...head } = frameReply(reply, exchange)
  return new Response(body, head)
}

/** Slashes between segments of what a path may hold unencoded, none of which is `.` or `..`; none at its end. */
const plainBase = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/

/** The base path without a slash at its end. */
export const checkBase = (basePath: string): string => {
  const base = typeof basePath === "string" ? basePath.replace(/\/$/, "") : undefined
  if (base !== undefined && plainBase.test(base)) return base
  throw new InvalidOption({ message: 'The base path must be a plain path, like "/api/payments".' })
}

/** What a base leaves of path and query; undefined when they don't lie below it. */
export const stripBase = (base: string, path: string): string | undefined => {
  if (!path.startsWith(base)) return undefined
  const rest = path.slice(base.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/**
 * pixcharge as a web handler, for servers and platforms that take one. Its routes lie below `basePath`; any other path gets a
 * 404 in the error shape. Throws `InvalidOption` for a base that isn't a plain path.
 *
 * @example
 * const pix = createPix(options)
 * export default { fetch: fetchHandler(pix, "/payments") }
 */
export const fetchHandler = (pix: Responder, basePath = "/"): ((request: Request) => Promise<Response>) => {
  const base = checkBase(basePath)
  return async (request: Request, env?: unknown) => {
    if (typeof Object(request).url !== "string") throw new InvalidOption({ message: "fetch takes a web Request." })
    const url = stripBase(base, pathAndQuery(request.url))
    const exchange = new WebExchange(request, url ?? "/", { env })
    const reply = url === undefined ? undefined : await pix.respond(exchange)
    return toResponse(reply ?? notFoundReply(), exchange)
  }
}
