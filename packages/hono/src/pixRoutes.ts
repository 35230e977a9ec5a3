import { checkResponder, pathBelow, type Responder, WebExchange, toResponse } from "@pixcharge/http/binding"
import { type Context, Hono } from "hono"

/**
 * Uses the deprecated `req.routePath`, because `routePath` of `hono/route` knows only requests of the same copy of Hono. A host
 * can have another copy, such as the CommonJS build.
 */
const readPath = ({ req }: Context): string => pathBelow(req.raw.url, req.routePath.replace(/\*$/, ""))

/** The socket's address; undefined if Hono doesn't run on Node. */
const readAddress = ({ env }: Context): string | undefined => env?.incoming?.socket?.remoteAddress

/**
 * pixcharge's routes for Hono, under any prefix. The host's routes get other paths.
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
