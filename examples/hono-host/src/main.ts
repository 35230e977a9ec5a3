import { createAdaptorServer } from "@hono/node-server"
import { pixRoutes } from "@pixcharge/hono"
import { runHost } from "@pixcharge-examples/demonstration"
import { Hono } from "hono"
import type { Server } from "node:http"

await runHost(({ console, portal }) => {
  const app = new Hono()
  app.route("/portal", pixRoutes(portal))
  app.route("/", pixRoutes(console))
  return createAdaptorServer({ fetch: app.fetch }) as Server
})
