import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import type { Responder } from "@pixcharge/http"
import type { Mount } from "@pixcharge/adapter-tests/conformance"
import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify"

interface Host {
  readonly prefix?: string
  readonly options?: FastifyServerOptions
}

/** Makes a host that mounts the routes and has the route `/host`. */
const fastifyMount =
  (mountRoutes: (app: FastifyInstance, pix: Responder) => unknown, { prefix = "", options = {} }: Host = {}): Mount =>
  async (pix) => {
    const app = Fastify({
      ...options,
      rewriteUrl: pixRewriteUrl({ prefix }),
      forceCloseConnections: true,
    })
    mountRoutes(app, pix)
    app.get(`${prefix}/host`, () => "host")
    return {
      baseUrl: (await app.listen({ port: 0, host: "127.0.0.1" })) + prefix,
      hasHost: true,
      close: () => app.close(),
    }
  }

export const fastifyBare = fastifyMount((app, pix) => app.register(pixPlugin(pix)))
/** The prefix has two segments. The second is a parameter. */
export const fastifyNested = fastifyMount(
  (app, pix) =>
    app.register(
      (child, _, done) => {
        child.register(pixPlugin(pix), { prefix: "/:versao" })
        done()
      },
      { prefix: "/pay" },
    ),
  { prefix: "/pay/v2" },
)
/** A host whose parsers accept every media type, but only short bodies. */
export const fastifyAfterParsers = fastifyMount(
  (app, pix) => {
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, () => Promise.reject(new Error("the host's")))
    app.addContentTypeParser("*", { parseAs: "string" }, () => Promise.reject(new Error("the host's")))
    app.register(pixPlugin(pix))
  },
  { options: { bodyLimit: 10 } },
)
/** A host whose router normalizes paths. */
export const fastifyBeforeParsers = fastifyMount(
  (app, pix) => {
    app.register(pixPlugin(pix), { prefix: "/v1/" })
    app.addContentTypeParser("*", { parseAs: "string" }, () => Promise.reject(new Error("the host's")))
  },
  {
    prefix: "/v1",
    options: { routerOptions: { caseSensitive: false, ignoreDuplicateSlashes: true, ignoreTrailingSlash: true } },
  },
)
