import { createAdaptorServer } from "@hono/node-server"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { mountServer } from "@pixcharge/adapter-tests/conformance"
import { Hono } from "hono"
import type { Server } from "node:http"
import { expect, it, onTestFinished } from "vitest"

it("a caller's address is the socket's on Node, else unknown", async () => {
  const asked: Array<string | undefined> = []
  const respond: Responder["respond"] = (exchange) => void asked.push(exchange.address)
  const app = new Hono().route("/", pixRoutes({ respond }))
  const server = await mountServer(createAdaptorServer({ fetch: app.fetch }) as Server, "", true)
  onTestFinished(server.close)
  await fetch(`${server.baseUrl}/`, { headers: { "x-forwarded-for": "198.51.100.7" } })
  // Other runtimes and hosts have other values in the environment.
  for (const env of [undefined, {}, { incoming: {} }]) await app.request("/", {}, env)
  expect(asked).toEqual(["127.0.0.1", undefined, undefined, undefined])
})
