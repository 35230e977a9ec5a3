import { createAdaptorServer } from "@hono/node-server"
import { pixRouter } from "@pixcharge/express"
import { pixRoutes } from "@pixcharge/hono"
import { type Mount, mounted } from "@pixcharge/testkit/conformance"
import express from "express"
import { Hono } from "hono"
import { createServer, type Server } from "node:http"
import { fastifyBare } from "../../packages/fastify/test/mounts.ts"

/** One way of mounting the routes for each of these bindings: what differs between ways is no matter of the store's. */
export const mounts: Readonly<Record<string, Mount>> = {
  Hono: (pix) => {
    const app = new Hono().route("/", pixRoutes(pix)).get("/host", (context) => context.text("host"))
    return mounted(createAdaptorServer({ fetch: app.fetch }) as Server, "", true)
  },
  Express: (pix) => {
    const app = express().use(pixRouter(pix))
    app.get("/host", (_, response) => void response.send("host"))
    return mounted(createServer(app), "", true)
  },
  Fastify: fastifyBare,
}
