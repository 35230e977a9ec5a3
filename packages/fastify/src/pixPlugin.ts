import { checkResponder, pathBelow, type Responder } from "@pixcharge/http"
import type { FastifyPluginCallback, FastifyRequest, RouteHandlerMethod } from "fastify"
import { METHODS } from "node:http"
import { FastifyExchange } from "./FastifyExchange.ts"
import { send } from "./send.ts"

/** What Fastify takes for a media type; it refuses others by itself, before any handler. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** By its type alone, or by its lack of one, which `QUERY` must have. */
const isRefusedUnread = ({ method, headers }: FastifyRequest): boolean =>
  !mediaType.test(headers["content-type"] ?? (method === "QUERY" ? "" : "x/x"))

/** A request in the host's log: without its path, for the token route's holds a secret. */
const toLogRecord = ({ method, host, ip, socket, routeOptions }: FastifyRequest) => ({
  method,
  url: routeOptions.url,
  host,
  remoteAddress: ip,
  remotePort: socket.remotePort,
})

/**
 * pixcharge's routes as a plugin of Fastify, under any prefix. The host's hooks run for them, its content-type parsers and
 * its limit of bodies don't: what is broken or too large is answered in our error shape. Paths below the prefix that aren't
 * ours are the host's: its own routes go on, anything else gets its handler of unknown paths.
 *
 * @example
 * await app.register(pixPlugin(pix), { prefix: "/payments" })
 */
export const pixPlugin = (pix: Responder): FastifyPluginCallback => {
  checkResponder("pixPlugin", pix)
  return (app, _, done) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload))
    app.addHook("onRequest", (request, _reply, next) => {
      if (isRefusedUnread(request)) request.headers = { "content-type": "x/x" }
      next()
    })
    // Fastify would refuse them by itself, and repeat a path that may hold a secret.
    for (const method of METHODS) {
      if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
    }
    const handle: RouteHandlerMethod = (request, reply) => {
      const ready = pix.respond(new FastifyExchange(request, reply, pathBelow(request.raw.url ?? "", app.prefix)))
      if (ready === undefined) return void reply.callNotFound()
      ready.then((answer) => send(request, reply, answer)).catch((error) => reply.send(error))
    }
    app.all("/*", { logSerializers: { req: toLogRecord } }, handle)
    // The prefix itself, which the star doesn't match, unless the host has a page of its own there.
    if (app.prefix !== "" && !app.hasRoute({ method: "GET", url: app.prefix })) {
      app.get("/", { logSerializers: { req: toLogRecord } }, handle)
    }
    done()
  }
}
