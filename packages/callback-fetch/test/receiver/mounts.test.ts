import { getRequestListener } from "@hono/node-server"
import { once } from "node:events"
import { Agent, createServer, type IncomingMessage, request as httpRequest, type RequestListener } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text } from "node:stream/consumers"
import {
  type NodeRequest,
  type PixReceiver,
  pixReceiver,
  type PlainEvent,
  type ReceiverOptions,
} from "@pixcharge/callback-fetch/receiver"
import { inChunks } from "@pixcharge/adapter-tests/fixtures"
import express, { type ErrorRequestHandler, type Express } from "express"
import { Hono } from "hono"
import { afterEach, describe, expect, it } from "vitest"
import { paidBody, paidEvent, secret, signedHeaders } from "./requests.ts"

const closing: Array<() => void> = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Reads a request to its end, like a middleware that keeps no copy. */
const drained = (request: IncomingMessage) => new Promise((resolve) => request.resume().once("end", resolve))

const postTo = async (listener: RequestListener, body: string, headers: Record<string, string>) => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  closing.push(() => server.close())
  await new Promise((resolve) => server.once("listening", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eventos`
  const response = await fetch(url, { method: "POST", body, headers })
  return { status: response.status, body: await response.text() }
}

/** An Express app with middleware before the receiver. */
const expressApp = (receiver: PixReceiver, before: (app: Express) => void = () => undefined) => {
  const app = express()
  before(app)
  app.post("/eventos", receiver.express)
  return app as RequestListener
}

const honoPost = async (
  receiver: PixReceiver,
  body: string,
  headers: Record<string, string>,
  before?: "json" | "raw",
) => {
  const app = new Hono()
  app.use(async (c, next) => {
    if (before === "json") await c.req.json()
    if (before === "raw") await c.req.raw.text()
    await next()
  })
  app.post("/eventos", receiver.hono)
  const response = await app.request("/eventos", { method: "POST", body, headers })
  return { status: response.status, body: await response.text() }
}

type Post = (
  receiver: PixReceiver,
  body: string,
  headers: Record<string, string>,
) => Promise<{ status: number; body: string }>

const mounts: Record<string, Post> = {
  "node:http": (receiver, body, headers) => postTo((req, res) => void receiver.express(req, res), body, headers),
  "Express, bare": (receiver, body, headers) => postTo(expressApp(receiver), body, headers),
  "Express after express.json()": (receiver, body, headers) =>
    postTo(
      expressApp(receiver, (app) => app.use(express.json())),
      body,
      headers,
    ),
  "Express after express.json() that kept rawBody": (receiver, body, headers) =>
    postTo(
      expressApp(receiver, (app) =>
        app.use(express.json({ verify: (req, _, raw) => void Object.assign(req, { rawBody: raw }) })),
      ),
      body,
      headers,
    ),
  "Express after express.raw()": (receiver, body, headers) =>
    postTo(
      expressApp(receiver, (app) => app.use(express.raw({ type: "*/*" }))),
      body,
      headers,
    ),
  "Express after express.text()": (receiver, body, headers) =>
    postTo(
      expressApp(receiver, (app) => app.use(express.text({ type: "*/*" }))),
      body,
      headers,
    ),
  "Hono, bare": (receiver, body, headers) => honoPost(receiver, body, headers),
  "Hono after c.req.json()": (receiver, body, headers) => honoPost(receiver, body, headers, "json"),
  fetch: async (receiver, body, headers) => {
    const response = await receiver.fetch(new Request("http://loja.example/", { method: "POST", body, headers }))
    return { status: response.status, body: await response.text() }
  },
}

const makeReceiver = (onEvent?: (event: PlainEvent) => void) => {
  const events: Array<PlainEvent> = []
  const receiver = pixReceiver({
    secrets: [secret],
    confirm: false,
    onEvent: (event) => {
      onEvent?.(event)
      events.push(event)
    },
  })
  return { receiver, events }
}

describe.each(Object.entries(mounts))("the receiver mounted on %s", (_, post) => {
  it("handles a signed event once", async () => {
    const { receiver, events } = makeReceiver()
    const first = await post(receiver, paidBody, signedHeaders())
    const second = await post(receiver, paidBody, signedHeaders())
    expect([first.status, second.status]).toEqual([200, 200])
    expect(JSON.parse(first.body)).toEqual({ sucesso: true, data: { retTexto: "Evento recebido." } })
    expect(events).toEqual([paidEvent])
  })

  it("refuses an unsigned request, and says why", async () => {
    const { receiver, events } = makeReceiver()
    const forged = await post(receiver, paidBody.replace("19.9", "1.9"), signedHeaders())
    expect(forged.status).toBe(401)
    expect(JSON.parse(forged.body)).toEqual({ sucesso: false, errors: "Assinatura inválida." })
    expect((await post(receiver, paidBody, { "content-type": "application/json" })).status).toBe(401)
    expect(events).toEqual([])
  })

  it("handles a repeated event after the host's work failed", async () => {
    let isBroken = true
    const { receiver, events } = makeReceiver(() => {
      if (isBroken) throw new Error("o banco caiu")
    })
    const failed = await post(receiver, paidBody, signedHeaders()).catch(() => ({ status: 500 }))
    isBroken = false
    expect(failed.status).toBe(500)
    expect((await post(receiver, paidBody, signedHeaders())).status).toBe(200)
    expect(events).toEqual([paidEvent])
  })
})

describe("a host around the receiver", () => {
  it("checks the raw body that the host kept instead of the parsed body", async () => {
    const { receiver, events } = makeReceiver()
    const body = paidBody.replace('"dados":', '"dados": ')
    const post = mounts["Express after express.json() that kept rawBody"]
    expect((await post?.(receiver, body, signedHeaders(body)))?.status).toBe(200)
    expect(events).toEqual([paidEvent])
  })

  it("passes an error of the host's work to the host's error handler", async () => {
    const { receiver } = makeReceiver(() => {
      throw new Error("o banco caiu")
    })
    const app = expressApp(receiver) as Express
    const handler: ErrorRequestHandler = (error: Error, _request, response, _next) =>
      void response.status(503).send(error.message)
    app.use(handler)
    expect(await postTo(app, paidBody, signedHeaders())).toEqual({ status: 503, body: "o banco caiu" })
  })

  it.each([
    [{ secrets: "whsec_" }, "secrets"],
    [{ confirm: undefined }, "confirm"],
    [{ confirm: { key: "x" } }, "confirm"],
    [{ onEvent: undefined }, "onEvent"],
    [{ seen: new Set() }, "seen"],
    [{ secret: "whsec_" }, "secret"],
  ])("refuses to start a receiver with the options %o", (wrong: object, name) => {
    const options = { secrets: [secret], confirm: false, onEvent: () => undefined, ...wrong } as ReceiverOptions
    expect(() => pixReceiver(options)).toThrow(
      expect.objectContaining({ _tag: "InvalidOption", message: expect.stringMatching(`^pixReceiver: .*${name}`) }),
    )
  })

  it.each([[[]], [["whsec_"]]])("refuses to start a receiver with the secrets %j", (secrets) => {
    expect(() => pixReceiver({ secrets, confirm: false, onEvent: () => undefined })).toThrow(TypeError)
  })
})

describe("consumed and oversized bodies", () => {
  it("answers 500 to a body that was already read", async () => {
    const { receiver } = makeReceiver()
    const listener: RequestListener = (req, res) =>
      void drained(req).then(() => receiver.express(req as NodeRequest, res))
    const answer = await postTo(listener, paidBody, signedHeaders())
    for (const { status, body } of [answer, await honoPost(receiver, paidBody, signedHeaders(), "raw")]) {
      expect(status).toBe(500)
      expect(body).toContain("já foi consumido")
    }
  })

  it("rejects a parsed body that can't be restored as forged", async () => {
    const { receiver, events } = makeReceiver()
    const body = paidBody.replace('"dados":', '"dados": ')
    const answer = await mounts["Express after express.json()"]?.(receiver, body, signedHeaders(body))
    expect(answer?.status).toBe(401)
    expect(events).toEqual([])
  })

  it.each(["node:http", "Express, bare", "Hono, bare", "fetch"])("refuses a body above 64 KiB on %s", async (name) => {
    const { receiver } = makeReceiver()
    const body = "a".repeat(70_000)
    expect((await mounts[name]?.(receiver, body, signedHeaders(body)))?.status).toBe(413)
  })

  it.each(["Express after express.text()", "Express after express.raw()", "Hono after c.req.json()", "fetch"])(
    "refuses a body of one byte more than 64 KiB on %s",
    async (name) => {
      const { receiver } = makeReceiver()
      const body = `"${"a".repeat(64 * 1024 - 1)}"`
      expect((await mounts[name]?.(receiver, body, signedHeaders(body)))?.status).toBe(413)
    },
  )

  // Other parsers of hosts remove the byte order mark.
  it.each(["node:http", "Express after express.raw()", "Hono, bare", "fetch"])(
    "includes a byte order mark in the signature's check on %s",
    async (name) => {
      const { receiver } = makeReceiver()
      expect((await mounts[name]?.(receiver, `\ufeff${paidBody}`, signedHeaders()))?.status).toBe(401)
    },
  )

  it.each(["node:http", "Express after express.text()", "Hono, bare", "fetch"])(
    "reads a body of 64 KiB on %s",
    async (name) => {
      const { receiver } = makeReceiver()
      const body = "a".repeat(64 * 1024)
      const headers = { ...signedHeaders(body), "content-length": String(64 * 1024) }
      expect((await mounts[name]?.(receiver, body, headers))?.status).toBe(400)
    },
  )

  const web = (handle: (request: Request) => Promise<Response>) =>
    getRequestListener((request) => handle(request)) as RequestListener
  const listeners: Record<string, (receiver: PixReceiver) => RequestListener> = {
    "node:http": (receiver) => (req, res) => void receiver.express(req, res),
    Express: (receiver) => expressApp(receiver),
    Hono: (receiver) => web(async (request) => new Hono().post("/eventos", receiver.hono).fetch(request)),
    fetch: (receiver) => web(receiver.fetch),
  }

  const listen = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, "127.0.0.1")
    closing.push(() => server.close())
    await once(server, "listening")
    return (server.address() as AddressInfo).port
  }

  it.each(Object.entries(listeners))(
    "refuses a body of undeclared length and handles the sender's next event on %s",
    async (_, mount) => {
      const { receiver, events } = makeReceiver()
      const port = await listen(mount(receiver))
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      closing.push(() => agent.destroy())
      const post = async (body: string) => {
        const headers = { ...signedHeaders(), "transfer-encoding": "chunked" }
        const sentRequest = httpRequest({ agent, method: "POST", host: "127.0.0.1", port, path: "/eventos", headers })
        sentRequest.end(body)
        const [response] = (await once(sentRequest, "response")) as [IncomingMessage]
        sentRequest.on("error", () => undefined)
        response.resume()
        return response.statusCode
      }
      expect([await post("a".repeat(300 * 1024)), await post(paidBody)]).toEqual([413, 200])
      expect(events).toEqual([paidEvent])
    },
  )

  const readHead = (headers: Record<string, string>): string =>
    ["POST /eventos HTTP/1.1", ...Object.entries({ host: "loja", ...headers }).map((field) => field.join(": "))]
      .map((line) => `${line}\r\n`)
      .join("")

  it.each(
    Object.entries(listeners).flatMap(([name, mount]) => [
      [name, "that is signed", mount, signedHeaders()] as const,
      [name, "that isn't", mount, {}] as const,
    ]),
  )("%s stops reading an endless body %s", async (_, __, mount, headers) => {
    const port = await listen(mount(makeReceiver().receiver))
    const socket = connect(port, "127.0.0.1").on("error", () => undefined)
    const isClosed = new Promise((resolve) => socket.once("close", resolve))
    socket.write(`${readHead({ ...headers, "transfer-encoding": "chunked" })}\r\n`)
    const chunk = `10000\r\n${"a".repeat(64 * 1024)}\r\n`
    let sent = 0
    while (!socket.destroyed && sent < 256) {
      sent++
      if (!socket.write(chunk)) await Promise.race([once(socket, "drain").catch(() => undefined), isClosed])
    }
    expect(sent).toBeLessThan(256)
    await isClosed
  })

  const postPieces = async (port: number, body: string, size: number): Promise<number> => {
    const socket = connect(port, "127.0.0.1")
    const headers = { ...signedHeaders(body), "transfer-encoding": "chunked", connection: "close" }
    socket.write(`${readHead(headers)}\r\n${inChunks(body, size)}`, "latin1")
    return Number((await text(socket)).split(" ", 2)[1])
  }

  it.each(Object.entries(listeners))(
    "handles an event in small pieces, and refuses too many pieces, on %s",
    async (_, mount) => {
      const { receiver, events } = makeReceiver()
      const port = await listen(mount(receiver))
      expect(await postPieces(port, paidBody, 2)).toBe(200)
      expect(events).toEqual([paidEvent])
      const padded = paidBody.replace("{", `{${" ".repeat(2_000)}`)
      expect(await postPieces(port, padded, 1)).toBe(413)
      expect(await postPieces(port, padded, 100)).toBe(200)
    },
  )

  const streamed: Record<string, (receiver: PixReceiver, request: Request) => Promise<Response>> = {
    fetch: (receiver, request) => receiver.fetch(request),
    Hono: async (receiver, request) => new Hono().post("/eventos", receiver.hono).request(request),
  }

  /** A request with a body of 8 MiB, and the number of bytes read from it. */
  const gigantic = (headers: Record<string, string>) => {
    let taken = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (taken === 8 * 1024 * 1024) return controller.close()
          taken += 16 * 1024
          return controller.enqueue(new Uint8Array(16 * 1024).fill(97))
        },
      },
      { highWaterMark: 0 },
    )
    const init = { method: "POST", headers, body, duplex: "half" } as const
    return { request: new Request("http://loja.example/eventos", init), taken: () => taken }
  }

  it.each(Object.entries(streamed))("reads at most 64 KiB of a gigantic body on %s", async (_, send) => {
    const { receiver } = makeReceiver()
    const { request, taken } = gigantic(signedHeaders())
    expect((await send(receiver, request)).status).toBe(413)
    expect(taken()).toBeGreaterThan(64 * 1024)
    expect(taken()).toBeLessThanOrEqual(96 * 1024)
  })

  it.each([
    ["that isn't signed", {}, 401],
    ["that was signed long ago", signedHeaders(paidBody, { at: Date.now() - 301_000 }), 401],
    ["with a timestamp that isn't a number", { ...signedHeaders(), "webhook-timestamp": "now" }, 401],
    ["that declares a larger length", { ...signedHeaders(), "content-length": "65537" }, 413],
  ])("reads no part of an event %s", async (_, headers, status) => {
    for (const send of Object.values(streamed)) {
      const { request, taken } = gigantic(headers)
      expect((await send(makeReceiver().receiver, request)).status).toBe(status)
      expect(taken()).toBe(0)
    }
    const length = "content-length" in headers ? {} : { "transfer-encoding": "chunked" }
    for (const mount of [listeners["node:http"], listeners["Express"]]) {
      let seen: IncomingMessage | undefined
      const port = await listen((request, response) => mount?.(makeReceiver().receiver)((seen = request), response))
      const socket = connect(port, "127.0.0.1")
      socket.write(`${readHead({ ...length, ...headers, connection: "close" })}\r\n`)
      expect((await text(socket)).split(" ", 2)[1]).toBe(String(status))
      expect(seen?.readableDidRead).toBe(false)
    }
  })
})
