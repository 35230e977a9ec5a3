import { createAdaptorServer } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import { pixRoutes } from "@pixcharge/hono"
import { type Mount, mountServer } from "@pixcharge/adapter-tests/conformance"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"

/** Each binding mounts the routes in only one way, because the store doesn't depend on how they are mounted. */
export const mounts: Readonly<Record<string, Mount>> = {
  Hono: (pix) => {
    const app = new Hono().route("/", pixRoutes(pix)).get("/host", (context) => context.text("host"))
    return mountServer(createAdaptorServer({ fetch: app.fetch }) as Server, "", true)
  },
  Express: (pix) => {
    const app = express().use(pixRouter(pix))
    app.get("/host", (_, response) => void response.send("host"))
    return mountServer(createServer(app), "", true)
  },
  Fastify: async (pix) => {
    const app = fastify({ rewriteUrl: pixRewriteUrl(), forceCloseConnections: true })
    app.register(pixPlugin(pix))
    app.get("/host", () => "host")
    const baseUrl = await app.listen({ port: 0, host: "127.0.0.1" })
    return { baseUrl, hasHost: true, close: () => app.close() }
  },
}
