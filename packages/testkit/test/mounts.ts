import { serve } from "@hono/node-server"
import type { ExchangeBody } from "@pixcharge/core"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { fetchHandler, type Responder } from "@pixcharge/http"
import express, { type Express } from "express"
// @ts-expect-error -- an alias of express 4, which brings no types of its own
import express4 from "express4"
import { Hono } from "hono"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline, Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { Mount, Mounted } from "../src/conformance/Conformance.ts"

const mounted = async (server: Server, prefix: string, hasHost: boolean): Promise<Mounted> => {
  if (!server.listening) await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${prefix}`,
    hasHost,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const listen = (server: Server): Server => server.listen(0, "127.0.0.1")

const bodyOf = async (request: IncomingMessage, maxBytes: number): Promise<ExchangeBody> => {
  const content = await text(request)
  if (Buffer.byteLength(content) > maxBytes) return { _tag: "TooLarge" }
  return content.includes("\ufffd") ? { _tag: "Unreadable" } : { _tag: "Text", text: content }
}

/** A host of no framework at all that hands plain exchanges to `respond`. */
export const rawMount: Mount = (pix) => {
  const server = createServer((request, response) => {
    const controller = new AbortController()
    response.on("close", () => !response.writableFinished && controller.abort())
    const exchange = {
      method: request.method ?? "",
      url: request.url ?? "",
      header: (name: string) => request.headers[name] as string | undefined,
      body: (maxBytes: number) => bodyOf(request, maxBytes),
      signal: controller.signal,
    }
    const reply = pix.respond(exchange)
    if (reply === undefined) return response.writeHead(request.url === "/host" ? 200 : 404).end("host")
    return void reply.then(({ status, headers, body }) => {
      if (typeof body === "string" || body instanceof Uint8Array) {
        return response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
      }
      response.writeHead(status, headers).flushHeaders()
      return pipeline(Readable.fromWeb(body), response, () => undefined)
    })
  })
  return mounted(listen(server), "", true)
}

/** The fetch handler behind a real server. */
export const fetchMount: Mount = (pix) =>
  mounted(serve({ fetch: fetchHandler(pix), port: 0, hostname: "127.0.0.1" }) as Server, "", false)

/** An Express host with a route of its own, around whatever mounts the charges. */
const expressMount =
  (mountRoutes: (app: Express, pix: Responder) => unknown, prefix = "", make: () => Express = express): Mount =>
  (pix) => {
    const app = make()
    mountRoutes(app, pix)
    app.get(`${prefix}/host`, (_, response) => void response.send("host"))
    return mounted(listen(createServer(app)), prefix, true)
  }

export const expressBare = expressMount((app, pix) => app.use(pixRouter(pix)))
export const expressAfterJson = expressMount((app, pix) => app.use(express.json()).use(pixRouter(pix)))
export const expressAfterSmallJson = expressMount((app, pix) =>
  app.use(express.json({ limit: "1kb" }), express.text(), express.raw()).use(pixRouter(pix)),
)
export const express4AfterJson = expressMount(
  (app, pix) => app.use("/v1", express.json(), pixRouter(pix)),
  "/v1",
  express4 as unknown as () => Express,
)
export const expressUnderPrefix = expressMount((app, pix) => app.use("/v1/cobrancas", pixRouter(pix)), "/v1/cobrancas")

const honoMount =
  (mountRoutes: (app: Hono, pix: Responder) => unknown, prefix = ""): Mount =>
  (pix) => {
    const app = new Hono()
    mountRoutes(app, pix)
    app.get(`${prefix}/host`, (context) => context.text("host"))
    return mounted(serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server, prefix, true)
  }

export const honoBare = honoMount((app, pix) => app.route("/", pixRoutes(pix)))
export const honoUnderPrefix = honoMount((app, pix) => app.route("/v1/cobrancas", pixRoutes(pix)), "/v1/cobrancas")
export const honoUnderParameter = honoMount((app, pix) => app.route("/:versao/pay", pixRoutes(pix)), "/v2/pay")
/** After a middleware of the host that has read the body already. */
export const honoAfterJson = honoMount((app, pix) =>
  app
    .use(async (context, next) => {
      if (context.req.method === "POST") await context.req.text().catch(() => "")
      await next()
    })
    .route("/", pixRoutes(pix)),
)
