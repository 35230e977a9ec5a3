import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import type { Responder } from "@pixcharge/http"
import type { Mount } from "@pixcharge/adapter-tests/conformance"
import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify"

interface Host {
  readonly prefix?: string
  readonly options?: FastifyServerOptions
}

/** A Fastify host with a route of its own, around what mounts the charges. */
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
/** Below another plugin of the host's, the second half of whose prefix is a parameter where it matches. */
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
/** After parsers of the host that take every type of body, none of them long. */
export const fastifyAfterParsers = fastifyMount(
  (app, pix) => {
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, () => Promise.reject(new Error("the host's")))
    app.addContentTypeParser("*", { parseAs: "string" }, () => Promise.reject(new Error("the host's")))
    app.register(pixPlugin(pix))
  },
  { options: { bodyLimit: 10 } },
)
/** Before them, and with a router that normalizes what it can. */
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
