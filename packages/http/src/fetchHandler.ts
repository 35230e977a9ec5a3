import type { Exchange, Reply } from "@pixcharge/core"
import { InvalidOption } from "@pixcharge/core/internal/exchange"
import { hasBody } from "./exchangeBody.ts"
import { pathAndQuery } from "./paths.ts"
import type { Responder } from "./Responder.ts"
import { WebExchange } from "./WebExchange.ts"
import { notFoundReply } from "./wire/Envelope.ts"

export interface FramedExchange extends Pick<Exchange, "method"> {
  /** Whether too much of the body is unread to reuse the connection. */
  readonly hasUnreadBody: boolean
}

export const frameReply = ({ status, headers, body }: Reply, { method, hasUnreadBody }: FramedExchange) => {
  const isStream = typeof body !== "string" && !(body instanceof Uint8Array)
  const isUnsent = !hasBody(status) || (isStream && method === "HEAD")
  if (isUnsent && isStream) body.cancel().catch(() => undefined)
  // A closing server would wait for a stream, because its page reconnects on the same connection.
  const endsConnection = isStream || hasUnreadBody
  return {
    status,
    headers: endsConnection ? { ...headers, connection: "close" } : headers,
    body: isUnsent ? null : body,
  }
}

/** Declares no length, because some versions of Hono's server would add a second `content-length`. */
export const toResponse = (reply: Reply, exchange: FramedExchange): Response => {
  const framed = frameReply(reply, exchange)
  return new Response(framed.body, framed)
}

/** Matches segments of unencoded characters, except `.` and `..`, without a trailing slash. */
const plainBase = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/

export const checkBase = (basePath: string): string => {
  const base = typeof basePath === "string" ? basePath.replace(/\/$/, "") : undefined
  if (base !== undefined && plainBase.test(base)) return base
  throw new InvalidOption({ message: 'The base path must be a plain path, like "/api/payments".' })
}

/** Path and query below the base; undefined for another path. */
export const stripBase = (base: string, path: string): string | undefined => {
  if (!path.startsWith(base)) return undefined
  const rest = path.slice(base.length)
  if (rest === "" || rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}

/**
 * pixcharge as a web handler for servers and platforms that take such a function.
 *
 * Paths outside `basePath` get a 404 in the error shape. Throws `InvalidOption` if the base isn't a plain path.
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
