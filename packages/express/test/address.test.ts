import { pixRouter } from "@pixcharge/express"
import type { Responder } from "@pixcharge/http"
import { mountServer } from "@pixcharge/adapter-tests/conformance"
import express from "express"
import { createServer } from "node:http"
import { expect, it, onTestFinished } from "vitest"

it.each([
  [false, "127.0.0.1"],
  [1, "198.51.100.7"],
])("determines a caller's address by the setting `trust proxy` %s: %s", async (trusted, address) => {
  const addresses: Array<string | undefined> = []
  const respond: Responder["respond"] = (exchange) => void addresses.push(exchange.address)
  const app = express().set("trust proxy", trusted).use(pixRouter({ respond }))
  const server = await mountServer(createServer(app), "", true)
  onTestFinished(server.close)
  await fetch(`${server.baseUrl}/`, { headers: { "x-forwarded-for": "192.0.2.1, 198.51.100.7" } })
  expect(addresses).toEqual([address])
})
