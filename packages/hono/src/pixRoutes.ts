import { pathAndQuery, type Responder, WebExchange, webResponse } from "@pixcharge/http"
import { type Context, Hono } from "hono"
import { routePath } from "hono/route"

/** Path and query below the mount: as many segments are taken off as the route's own prefix has. */
const pathBelowMount = (context: Context): string => {
  let path = pathAndQuery(context.req.raw.url)
  const prefix = routePath(context).replace(/\/?\*$/, "")
  for (let segments = prefix.split("/").length - 1; segments > 0; segments--) {
    const end = path.slice(1).search(/[/?]/) + 1
    if (end === 0) return "/"
    path = path[end] === "?" ? `/${path.slice(end)}` : path.slice(end)
  }
  return path
}

/** The address of the socket, where Hono runs on Node. */
const socketAddress = ({ env }: Context): string | undefined => env?.incoming?.socket?.remoteAddress

/**
 * pixcharge's routes for Hono, under any prefix. Paths that aren't ours go on to the host's own routes.
 *
 * @example
 * app.route("/payments", pixRoutes(pix))
 */
export const pixRoutes = (pix: Responder): Hono =>
  new Hono().use("*", async (context, next) => {
    const { req } = context
    const readWhole = () => req.arrayBuffer()
    const exchange = new WebExchange(req.raw, pathBelowMount(context), readWhole, socketAddress(context))
    const reply = pix.respond(exchange)
    return reply === undefined ? next() : webResponse(await reply, exchange)
  })
