import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { Page } from "../outside/Page.ts"

let server: Server | undefined
const page = new Page()

afterEach(() => {
  page.close()
  server?.closeAllConnections()
  server?.close()
})

const event = (status: string, final = false) => `event: estado\ndata: ${JSON.stringify({ status, final })}\n\n`

it("a page reconnects after a broken stream, and counts a promptly refunded charge as paid", async () => {
  // The stream of each visit. The first stream ends in the middle of an event.
  const streams = [event("pendente") + event("pago").slice(0, 20), event("devolvido", true)]
  let visits = 0
  server = createServer((_, response) => void response.end(streams[visits++])).listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  page.open(() => Promise.resolve(url))
  await page.shown
  expect(visits).toBe(1)
  await page.paid
  expect(visits).toBe(2)
})
