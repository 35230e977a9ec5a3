import type { Exchange, ExchangeBody } from "@pixcharge/core"
import { exchangeOf, pathOf, refusedUnread, type Responder, textBody } from "@pixcharge/http"
import { type Context, Hono } from "hono"
import { routePath } from "hono/route"

/** Path and query below the mount: as many segments are taken off as the route's own prefix has. */
const pathBelowMount = (context: Context): string => {
  let path = pathOf(context.req.raw.url)
  const prefix = routePath(context).replace(/\/?\*$/, "")
  for (let segments = prefix.split("/").length - 1; segments > 0; segments--) {
    const slash = path.indexOf("/", 1)
    path = slash < 0 ? "/" : path.slice(slash)
  }
  return path
}

/** Through Hono's own reader, which also knows the bodies that a host's middleware read before. */
const bodyOf = async (context: Context, maxBytes: number): Promise<ExchangeBody> => {
  try {
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    return bytes.byteLength > maxBytes ? { _tag: "TooLarge" } : textBody(bytes)
  } catch {
    return { _tag: "Unreadable" }
  }
}

const exchange = (context: Context, path: string): Exchange => {
  const header = (name: string) => context.req.header(name)
  const streamed = exchangeOf(context.req.raw, path)
  const isBounded = header("content-length") !== undefined || context.req.raw.bodyUsed
  return {
    method: context.req.method,
    url: path,
    header,
    // Only a body of undeclared length needs counting while it arrives.
    body: async (maxBytes) =>
      refusedUnread(header, maxBytes) ?? (isBounded ? bodyOf(context, maxBytes) : streamed.body(maxBytes)),
  }
}

/** pixcharge's routes for `app.route(prefix, ...)`. Paths that aren't ours go on to the host's own routes. */
export const pixRoutes = (pix: Responder): Hono =>
  new Hono().use("*", async (context, next) => {
    const path = pathBelowMount(context)
    if (!pix.handles(context.req.method, path)) return next()
    const reply = await pix.respond(exchange(context, path))
    return new Response(reply.body, { status: reply.status, headers: reply.headers })
  })
