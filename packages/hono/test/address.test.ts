import { createAdaptorServer } from "@hono/node-server"
import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { mountServer } from "@pixcharge/adapter-tests/conformance"
import { Hono } from "hono"
import type { Server } from "node:http"
import { expect, it, onTestFinished } from "vitest"

it("takes a caller's address from the socket on Node, and knows none on other platforms", async () => {
  const addresses: Array<string | undefined> = []
  const respond: Responder["respond"] = (exchange) => void addresses.push(exchange.address)
  const app = new Hono().route("/", pixRoutes({ respond }))
  const server = await mountServer(createAdaptorServer({ fetch: app.fetch }) as Server, "", true)
  onTestFinished(server.close)
  await fetch(`${server.baseUrl}/`, { headers: { "x-forwarded-for": "198.51.100.7" } })
  // On other runtimes and hosts, the environment has no such socket.
  for (const env of [undefined, {}, { incoming: {} }]) await app.request("/", {}, env)
  expect(addresses).toEqual(["127.0.0.1", undefined, undefined, undefined])
})
