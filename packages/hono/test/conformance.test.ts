import { createAdaptorServer } from "@hono/node-server"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { httpConformanceSuite, type Mount, mountServer } from "@pixcharge/adapter-tests/conformance"
import { Hono } from "hono"
import type { Server } from "node:http"

/** Makes a host that mounts the routes and has the route `/host`. */
const honoMount =
  (mountRoutes: (app: Hono, pix: Responder) => unknown, prefix = ""): Mount =>
  (pix) => {
    const app = new Hono()
    mountRoutes(app, pix)
    app.get(`${prefix}/host`, (context) => context.text("host"))
    return mountServer(createAdaptorServer({ fetch: app.fetch }) as Server, prefix, true)
  }

const honoBare = honoMount((app, pix) => app.route("/", pixRoutes(pix)))
const honoUnderPrefix = honoMount((app, pix) => app.route("/v1/cobrancas", pixRoutes(pix)), "/v1/cobrancas")
const honoUnderParameter = honoMount((app, pix) => app.route("/:versao/pay", pixRoutes(pix)), "/v2/pay")
/** Mounts the routes after a host's middleware that reads the body. */
const honoAfterJson: Mount = async (pix) => {
  const mount = honoMount((app) =>
    app
      .use(async (context, next) => {
        if (context.req.method === "POST") await context.req.text().catch(() => "")
        await next()
      })
      .route("/", pixRoutes(pix)),
  )
  return { ...(await mount(pix)), readsBodies: true }
}

httpConformanceSuite("Hono", honoBare, { rows: "binding" })
httpConformanceSuite("Hono under a prefix", honoUnderPrefix, { rows: "binding" })
httpConformanceSuite("Hono under a parameter", honoUnderParameter, { rows: "binding" })
httpConformanceSuite("Hono after a middleware that reads the body", honoAfterJson, { rows: "binding" })
