import { checkResponder, pathBelow, type Responder, WebExchange, toResponse } from "@pixcharge/http"
import { type Context, Hono } from "hono"

/**
 * Path and query below the mount. Its route is read from the request: `routePath` of `hono/route`, which takes its place, knows
 * the requests of its own copy of Hono alone, and a host may have another one, such as the build in CommonJS.
 */
const readPath = ({ req }: Context): string => pathBelow(req.raw.url, req.routePath.replace(/\*$/, ""))

/** The address of the socket, where Hono runs on Node. */
const readAddress = ({ env }: Context): string | undefined => env?.incoming?.socket?.remoteAddress

/**
 * pixcharge's routes for Hono, under any prefix. Paths that aren't ours go on to the host's own routes.
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
