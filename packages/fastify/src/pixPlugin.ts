import { checkResponder, pathBelow, type Responder } from "@pixcharge/http"
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest, FastifySchema, RouteHandlerMethod } from "fastify"
import { METHODS } from "node:http"
import { FastifyExchange } from "./FastifyExchange.ts"
import { send } from "./send.ts"

/** What Fastify takes for a media type; it refuses others by itself, before any handler. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** By its type alone, or by its lack of one, which `QUERY` must have. */
const isRefusedUnread = ({ method, headers }: FastifyRequest): boolean =>
  !mediaType.test(headers["content-type"] ?? (method === "QUERY" ? "" : "x/x"))

/** A request in the host's log: without its path, because the token route's holds a secret. */
const toLogRecord = ({ method, host, ip, socket, routeOptions }: FastifyRequest) => ({
  method,
  url: routeOptions.url,
  host,
  remoteAddress: ip,
  remotePort: socket.remotePort,
})

/** Has the host's document leave the routes out, as `@fastify/swagger` reads it: they have a contract of their own. */
const schema: FastifySchema & { readonly hide: true } = { hide: true }

interface Methods {
  readonly bodyless: ReadonlySet<string>
  readonly bodywith: ReadonlySet<string>
}

/** Where Fastify keeps the methods of an instance, which those within it share. */
const findMethods = (app: object | null): symbol | undefined =>
  app === null
    ? undefined
    : (Object.getOwnPropertySymbols(app).find(({ description }) => description === "fastify.acceptedHTTPMethods") ??
      findMethods(Object.getPrototypeOf(app)))

/**
 * Routes every method that Node reads: others Fastify would refuse by itself, and repeat a path that may hold a secret. The
 * plugin's list is its own, because the host's `app.all` routes what is in the host's.
 */
const addMethods = (app: FastifyInstance): void => {
  const place = findMethods(app)
  if (place !== undefined) {
    const { bodyless, bodywith }: Methods = Reflect.get(app, place)
    Object.defineProperty(app, place, { value: { bodyless: new Set(bodyless), bodywith: new Set(bodywith) } })
  }
  for (const method of METHODS) {
    if (method !== "CONNECT" && !app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
}

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
    addMethods(app)
    const handle: RouteHandlerMethod = (request, reply) => {
      const ready = pix.respond(new FastifyExchange(request, reply, pathBelow(request.raw.url ?? "", app.prefix)))
      if (ready === undefined) return void reply.callNotFound()
      ready.then((answer) => send(request, reply, answer)).catch((error) => reply.send(error))
    }
    const options = { logSerializers: { req: toLogRecord }, schema }
    app.all("/*", options, handle)
    // The prefix itself, which the star doesn't match, unless the host has a page of its own there.
    if (app.prefix !== "" && !app.hasRoute({ method: "GET", url: app.prefix })) {
      app.get("/", options, handle)
    }
    done()
  }
}
