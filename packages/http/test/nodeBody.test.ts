import { createAdaptorServer } from "@hono/node-server"
import type { Exchange, Reply } from "@pixcharge/core"
import { pixRoutes } from "@pixcharge/hono"
import { fetchHandler } from "@pixcharge/http"
import { Hono } from "hono"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { expect, it, onTestFinished, vi } from "vitest"

/** Returns the body that it read as its reply. */
const respond = async (exchange: Exchange): Promise<Reply> => {
  const body = await exchange.body(64)
  return { status: 200, headers: {}, body: body._tag === "Text" ? body.text : body._tag }
}

const handle = fetchHandler({ respond }) as (request: Request, env?: unknown) => Promise<Response>

type Handle = typeof handle

/** Sends a body of undeclared length in three pieces; returns the answer. */
const post = async (host: Handle, text = "ação"): Promise<string> => {
  const server = createAdaptorServer({ fetch: host }) as Server
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const bytes = new TextEncoder().encode(text)
  const pieces = [bytes.subarray(0, 2), bytes.subarray(2, 3), bytes.subarray(3)]
  const body = new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
  })
  const { port } = server.address() as AddressInfo
  const sent = { method: "POST", body, duplex: "half" } as const
  return (await fetch(`http://127.0.0.1:${port}/`, sent)).text()
}

const bare: ReadonlyArray<readonly [string, Handle]> = [
  ["fetch", handle],
  ["Hono", new Hono().route("/", pixRoutes({ respond })).fetch as Handle],
]

it.each(bare)("reads the body from Node's stream up to the limit, with %s on Node", async (_, host) => {
  const toWeb = vi.spyOn(Readable, "toWeb")
  expect(await post(host)).toBe("ação")
  expect(await post(host, "x".repeat(64))).toBe("x".repeat(64))
  expect(await post(host, "x".repeat(65))).toBe("TooLarge")
  expect(toWeb).not.toHaveBeenCalled()
  toWeb.mockRestore()
})

const replace = (request: Request): Request =>
  new Request(request, { body: new Blob([`${request.method} again`]).stream(), duplex: "half" } as RequestInit)

const others: ReadonlyArray<readonly [string, Handle, string]> = [
  ["that replaces the body", (request, env) => handle(replace(request), env), "POST again"],
  [
    "that replaces the body in Hono",
    new Hono()
      .use(async ({ req }, next) => {
        req.raw = replace(req.raw)
        await next()
      })
      .route("/", pixRoutes({ respond })).fetch as Handle,
    "POST again",
  ],
  [
    "that copies the request",
    async (request, env) => {
      const copy = request.clone()
      return new Response(`${await (await handle(request, env)).text()} ${await copy.text()}`)
    },
    "ação ação",
  ],
  [
    "that has read the body",
    async (request, env) => {
      await request.text()
      return handle(request, env)
    },
    "Unreadable",
  ],
  [
    "whose platform has read the body",
    async (request, env) => {
      const { incoming } = env as { readonly incoming: Readable & { rawBody?: Buffer } }
      incoming.rawBody = Buffer.concat(await incoming.toArray())
      return handle(request, env)
    },
    "ação",
  ],
  [
    "that has another request in its environment",
    (request) => handle(request, { incoming: Readable.from(["no"]) }),
    "ação",
  ],
  ["without an environment", (request) => handle(request), "ação"],
]

it.each(others)("reads the body that the request has in a host %s", async (_, host, text) => {
  expect(await post(host)).toBe(text)
})
