import { createAdaptorServer } from "@hono/node-server"
import { pixRoutes } from "@pixcharge/hono"
import type { Reply } from "@pixcharge/core"
import { Hono } from "hono"
import { once } from "node:events"
import type { Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text as readText } from "node:stream/consumers"
import { describe, expect, it, onTestFinished } from "vitest"

type Serve = typeof createAdaptorServer

/** Versions of Hono's Node server that declare lengths in different ways. */
const servers: ReadonlyArray<readonly [string, Serve]> = [
  ["the newest version", createAdaptorServer],
  ["1.18.2, the last version that declares every length", (await import("node-server-1.18")).createAdaptorServer],
  ["1.0.0, the oldest version", (await import("node-server-1.0")).createAdaptorServer as unknown as Serve],
]

describe.each(servers)("on @hono/node-server, %s", (_, serve) => {
  const answer = async (body: Reply["body"]): Promise<string> => {
    const respond = () => Promise.resolve({ status: 200, headers: { "content-type": "text/plain" }, body })
    const app = new Hono().route("/pay", pixRoutes({ respond }))
    const server = serve({ fetch: app.fetch }) as Server
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
    socket.write(`GET /pay/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return readText(socket)
  }

  it.each([
    ["a text", "Olá."],
    ["bytes", new TextEncoder().encode("Olá.")],
  ])("declares the length of %s once", async (_kind, body) => {
    const [head = "", sent] = (await answer(body)).split("\r\n\r\n")
    expect(head.match(/^content-length:.*$/gim)?.map((line) => line.toLowerCase())).toEqual(["content-length: 5"])
    expect(sent).toBe("Olá.")
  })
})
