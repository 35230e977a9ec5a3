import { checkResponder, pathBelow, type Responder, WebExchange, toResponse } from "@pixcharge/http"
import { type Context, Hono } from "hono"

/**
 * Path and query below the mount. `req.routePath` is deprecated, but its successor `routePath` of `hono/route` knows only
 * requests of its own copy of Hono, and a host can have another copy, such as the CommonJS build.
 */
const readPath = ({ req }: Context): string => pathBelow(req.raw.url, req.routePath.replace(/\*$/, ""))

/** The socket's address, if Hono runs on Node. */
const readAddress = ({ env }: Context): string | undefined => env?.incoming?.socket?.remoteAddress

/**
 * pixcharge's routes for Hono, under any prefix. Other paths pass on to the host's routes.
 *
 * @example
 * app.route("/payments", pixRoutes(pix))
 */
export const pixRoutes = (pix: Responder): Hono => {
  checkResponder("pixRoutes", pix)
  return new Hono().use("*", (context, next) => {
    const { req, env } = context
    const exchange = new WebExchange(req.raw, readPath(context), {
      readWhole: () => req.arrayBuffer(),
      address: readAddress(context),
      env,
      frameworkRequest: context,
    })
    const reply = pix.respond(exchange)
    return reply === undefined ? next() : reply.then((ready) => toResponse(ready, exchange))
  })
}
