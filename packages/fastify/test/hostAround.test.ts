import type { Reply } from "@pixcharge/core"
import { pixPlugin, pixRewriteUrl } from "@pixcharge/fastify"
import type { Responder } from "@pixcharge/http"
import {
  actors,
  basicSecret,
  type Call,
  immediate,
  makeHttpClient,
  makeSandbox,
  post,
  simulate,
} from "@pixcharge/adapter-tests/conformance"
import Fastify, { type FastifyInstance } from "fastify"
import { type AddressInfo, connect } from "node:net"
import { Writable } from "node:stream"
import * as consumers from "node:stream/consumers"
import { createGunzip, gzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished, vi } from "vitest"

const open = async (app: FastifyInstance) => {
  const client = makeHttpClient(await app.listen({ port: 0, host: "127.0.0.1" }))
  onTestFinished(async () => {
    client.close()
    await app.close()
  })
  return client.call
}

const reply: Reply = { status: 200, headers: { "content-type": "text/plain" }, body: "pago" }
const pago: Responder = { respond: async () => reply }
const get: Call = { method: "GET", path: "/" }

describe("a host around the routes", () => {
  it.each([{}, { "content-type": "no media type" }])(
    "refuses requests in its hooks before they have an effect, headers: %j",
    async (over) => {
      await using pix = await makeSandbox()
      let isClosed = false
      const app = Fastify()
      app.addHook("preHandler", async (_, answer) => (isClosed ? answer.code(401).send("closed") : undefined))
      app.register(pixPlugin(pix))
      const call = await open(app)
      const token = await call({ method: "GET", path: `/api/token/${basicSecret(actors.shop)}` })
      const headers = { authorization: `Bearer ${token.json.data}` }
      const formaPagamento = immediate()
      await call({ ...post({ formaPagamento }), headers })
      await call({ ...simulate(formaPagamento.idFaturaPag), headers })

      isClosed = true
      const path = `/api/pix/${formaPagamento.idFaturaPag}`
      const answer = await call({ method: "DELETE", path, headers: { ...headers, ...over } })
      expect(answer).toMatchObject({ status: 401, text: "closed" })
      expect((await pix.find(actors.shop.cnpj, formaPagamento.idFaturaPag))._tag).toBe("Paid")
    },
  )

  it("gets an answer, and its connection ends, if a body doesn't arrive within 30 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const app = Fastify()
    const reading = new Promise<void>((resolve) => {
      const respond: Responder["respond"] = (exchange) => {
        const body = exchange.body(64)
        resolve()
        return body.then(({ _tag }) => ({ ...reply, body: _tag }))
      }
      app.register(pixPlugin({ respond }))
    })
    await app.listen({ port: 0, host: "127.0.0.1" })
    onTestFinished(() => app.close())
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1")
    socket.write("POST / HTTP/1.1\r\nhost: loja\r\ncontent-length: 9\r\n\r\n{")
    const answer = consumers.text(socket)
    await reading
    vi.advanceTimersByTime(30_000)
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK[^]*connection: close[^]*Unreadable$/)
  })

  it("adds its headers to our answers", async () => {
    const app = Fastify()
    app.addHook("onRequest", async (_, answer) => void answer.header("x-frame-options", "DENY"))
    app.addHook("onSend", async (_, answer) => void answer.header("x-sent", "1"))
    app.register(pixPlugin(pago))
    expect(await (await open(app))(get)).toMatchObject({
      status: 200,
      text: "pago",
      headers: { "x-frame-options": "DENY", "x-sent": "1", "content-type": "text/plain" },
    })
  })

  it("logs our requests without their paths, which can hold a secret", async () => {
    const lines: Array<string> = []
    const stream = new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk))
        done()
      },
    })
    const app = Fastify({ logger: { stream } })
    app.register(pixPlugin(pago), { prefix: "/payments" })
    await (
      await open(app)
    )({ method: "GET", path: "/payments/api/token/c2VncmVkbw" })
    const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "incoming request")
    expect(logged.req).toMatchObject({ method: "GET", url: "/payments/*", remoteAddress: "127.0.0.1" })
    expect(lines.join("")).not.toContain("c2VncmVkbw")
  })

  it("decodes bodies before we read them", async () => {
    const app = Fastify()
    app.addHook("preParsing", async ({ headers }, _, payload) => {
      delete headers["content-encoding"]
      delete headers["content-length"]
      return payload.pipe(createGunzip())
    })
    app.register(
      pixPlugin({ respond: async (exchange) => ({ ...reply, body: JSON.stringify(await exchange.body(100)) }) }),
    )
    const body = gzipSync("x".repeat(99))
    const headers = { "content-encoding": "gzip" }
    const { text } = await (await open(app))({ method: "POST", path: "/", headers, body })
    expect(JSON.parse(text)).toEqual({ _tag: "Text", text: "x".repeat(99) })
  })

  it("gets no second answer if its time-out has answered", async () => {
    let answerLate = (_: Reply): void => undefined
    let isCancelled = false
    const app = Fastify()
    app.register(pixPlugin({ respond: () => new Promise<Reply>((resolve) => (answerLate = resolve)) }))
    app.addHook("preHandler", (_, answer, next) => {
      next()
      answer.code(504).send("tarde")
    })
    const response = await (await open(app))(get)
    answerLate({ ...reply, body: new ReadableStream({ cancel: () => void (isCancelled = true) }) })
    expect(response).toMatchObject({ status: 504, text: "tarde" })
    await expect.poll(() => isCancelled).toBe(true)
  })

  it("gets its error handler called if an answer fails", async () => {
    const app = Fastify()
    app.setErrorHandler((error: Error, _, answer) => answer.code(500).send(`host: ${error.message}`))
    app.register(pixPlugin({ respond: () => Promise.reject(new Error("encerrado")) }))
    expect(await (await open(app))(get)).toMatchObject({ status: 500, text: "host: encerrado" })
  })

  it.each([
    [10, false, undefined],
    [300_000, false, "close"],
    [300_000, true, "close"],
  ])(
    "closes the connection only if much of the body is unread: %i bytes, chunked: %j",
    async (bytes, chunked, connection) => {
      const app = Fastify()
      app.register(
        pixPlugin({
          respond: async (exchange) => {
            await exchange.body(1_000)
            return reply
          },
        }),
      )
      const answer = await (await open(app))({ method: "POST", path: "/", body: "x".repeat(bytes), chunked })
      expect(answer).toMatchObject({ status: 200, text: "pago" })
      expect(answer.headers["connection"] === "close" ? "close" : undefined).toBe(connection)
    },
  )

  it.each([
    [false, "127.0.0.1"],
    ["127.0.0.1", "198.51.100.7"],
  ])("determines a caller's address by its setting `trustProxy` %s: %s", async (trustProxy, address) => {
    const addresses: Array<string | undefined> = []
    const app = Fastify({ trustProxy })
    app.register(pixPlugin({ respond: (exchange) => void addresses.push(exchange.address) }))
    await (
      await open(app)
    )({ ...get, headers: { "x-forwarded-for": "192.0.2.1, 198.51.100.7" } })
    expect(addresses).toEqual([address])
  })

  it("gets requests for its routes, with their bodies", async () => {
    const app = Fastify()
    app.register(pixPlugin({ respond: () => undefined }), { prefix: "/payments" })
    app.post("/payments/other", ({ body }) => body)
    app.setNotFoundHandler(({ url }, answer) => answer.code(404).send(`host: no ${url}`))
    const call = await open(app)
    expect((await call({ method: "POST", path: "/payments/other", body: { a: 1 } })).json).toEqual({ a: 1 })
    expect(await call({ method: "POST", path: "/payments/none", body: "{" })).toMatchObject({
      status: 404,
      text: "host: no /payments/none",
    })
  })
})

describe("a path with broken percent-encoding", () => {
  const lines: Array<string> = []
  const stream = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk))
      done()
    },
  })
  const openBroken = (prefix?: string) => {
    lines.length = 0
    const urls: Array<string> = []
    const respond: Responder["respond"] = ({ url }) => {
      urls.push(url)
      return Promise.resolve(reply)
    }
    const app = Fastify({ logger: { stream }, rewriteUrl: pixRewriteUrl(prefix === undefined ? {} : { prefix }) })
    app.register(pixPlugin({ respond }), { prefix: prefix ?? "" })
    return { app, urls }
  }

  it.each([
    [undefined, "/api/token/c2Vn%E0%A4%A", "/api/token/c2Vn%25E0%25A4%25A"],
    ["/payments", "/payments/api/token/c2Vn%E0%A4%A?a=%&b?c", "/api/token/c2Vn%25E0%25A4%25A?a=%&b?c"],
    ["/payments/", "/payments/api/token/c2Vn%", "/api/token/c2Vn%25"],
  ])("reaches the plugin below the prefix %o, and isn't logged: %s", async (prefix, path, url) => {
    const { app, urls } = openBroken(prefix)
    expect(await (await open(app))({ method: "GET", path })).toMatchObject({ status: 200, text: "pago" })
    expect(urls).toEqual([url])
    expect(lines.join("")).toContain("incoming request")
    expect(lines.join("")).not.toContain("c2Vn")
  })

  it.each(["/paymentsapi/%E0%A4%A", "/other/api/%E0%A4%A"])(
    "gets Fastify's own answer outside the prefix: %s",
    async (path) => {
      const answer = await (await open(openBroken("/payments").app))({ method: "GET", path })
      expect(answer).toMatchObject({ status: 400, json: { code: "FST_ERR_BAD_URL" } })
    },
  )

  it("is rewritten, unlike a readable path", async () => {
    const { app, urls } = openBroken("/payments")
    await (
      await open(app)
    )({ method: "GET", path: "/payments/api/token/c2Vn%3D?a=%" })
    expect(urls).toEqual(["/api/token/c2Vn%3D?a=%"])
  })
})
