import { checkResponder, pathBelow, type Responder } from "@pixcharge/http/binding"
import type { FastifyInstance, FastifyPluginCallback, FastifyRequest, FastifySchema, RouteHandlerMethod } from "fastify"
import { METHODS } from "node:http"
import { FastifyExchange } from "./FastifyExchange.ts"
import { send } from "./send.ts"

/** The media types that Fastify accepts. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** True if Fastify would refuse the request because of its media type, or because a `QUERY` lacks one. */
const isRefusedUnread = ({ method, headers }: FastifyRequest): boolean =>
  !mediaType.test(headers["content-type"] ?? (method === "QUERY" ? "" : "x/x"))

/** Omits the path, because the token route's path holds a secret. */
const toLogRecord = ({ method, host, ip, socket, routeOptions }: FastifyRequest) => ({
  method,
  url: routeOptions.url,
  host,
  remoteAddress: ip,
  remotePort: socket.remotePort,
})

/** Hides the routes from the host's document (`@fastify/swagger`). */
const schema: FastifySchema & { readonly hide: true } = { hide: true }

interface Methods {
  readonly bodyless: ReadonlySet<string>
  readonly bodywith: ReadonlySet<string>
}

/** Finds the symbol under which Fastify keeps an instance's methods, which child instances inherit. */
const findMethods = (app: object | null): symbol | undefined =>
  app === null
    ? undefined
    : (Object.getOwnPropertySymbols(app).find(({ description }) => description === "fastify.acceptedHTTPMethods") ??
      findMethods(Object.getPrototypeOf(app)))

/**
 * Adds every method that Node parses. Otherwise Fastify would refuse it and repeat the path, which can hold a secret.
 *
 * A copy of the list for the plugin keeps these methods out of the host's `app.all`.
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
 * pixcharge's routes as a Fastify plugin, under any prefix.
 *
 * The host's hooks run for them, but not its content-type parsers and body limit, so a broken or oversized body gets an answer
 * in our error shape. Other paths below the prefix get the host's routes or its not-found handler.
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
    // The star doesn't match the prefix itself. A page of the host there has priority.
    if (app.prefix !== "" && !app.hasRoute({ method: "GET", url: app.prefix })) {
      app.get("/", options, handle)
    }
    done()
  }
}
