import type { Exchange, Reply } from "@pixcharge/core"
import { expect, it } from "vitest"
import { fetchHandler } from "../src/fetchHandler.ts"
import { pathAndQuery } from "../src/paths.ts"

const answering = (body: Reply["body"]) => {
  const exchanges: Array<Exchange> = []
  const respond = (exchange: Exchange) => {
    exchanges.push(exchange)
    return Promise.resolve({ status: 200, headers: { "content-type": "text/plain" }, body })
  }
  return { handle: fetchHandler({ respond }), exchanges }
}

it.each([
  ["a text", "Olá.", null],
  ["bytes", new Uint8Array(7), null],
  ["a stream", new ReadableStream<Uint8Array>(), "close"],
])("declares no length for %s, and closes the connection of a stream", async (_, body, connection) => {
  const { handle } = answering(body)
  const { headers } = await handle(new Request("https://shop.example/x"))
  expect([headers.get("content-length"), headers.get("connection")]).toEqual([null, connection])
})

it("answers HEAD without the stream, and cancels it", async () => {
  let isCancelled = false
  const stream = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) })
  const response = await answering(stream).handle(new Request("https://shop.example/x", { method: "HEAD" }))
  expect([response.status, response.body, isCancelled]).toEqual([200, null, true])
})

it("answers a path without a route with 404 in the error shape", async () => {
  const response = await fetchHandler({ respond: () => undefined })(new Request("https://shop.example/x"))
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ sucesso: false, errors: "Rota inexistente." })
})

it("passes on the web request", async () => {
  const { handle, exchanges } = answering("")
  const request = new Request("https://shop.example/x")
  await handle(request)
  expect(exchanges[0]?.frameworkRequest).toBe(request)
})

it("passes on the signal of the web request", async () => {
  const { handle, exchanges } = answering("")
  const caller = new AbortController()
  await handle(new Request("https://shop.example/x", { signal: caller.signal }))
  expect(exchanges[0]?.signal.aborted).toBe(false)
  caller.abort()
  expect(exchanges[0]?.signal.aborted).toBe(true)
})

it.each([
  ["https://shop.example", "/"],
  ["https://shop.example/a%2Fb/?x=1", "/a%2Fb/?x=1"],
  ["https://shop.example/a//b", "/a//b"],
  ["/a", "/a"],
  ["/a//b", "/a//b"],
  ["https://shop.example?x=/a", "/?x=/a"],
  ["file:///a?x=1", "/a?x=1"],
  ["HTTPS://shop.example/a", "/a"],
  ["unix+http-1.0:///a", "/a"],
  ["1://shop.example/a", "/1://shop.example/a"],
  ["", "/"],
])("finds in %s the path and query %s", (url, path) => {
  expect(pathAndQuery(url)).toBe(path)
})

const limit = 64

/** Reads up to 64 bytes of the body, then answers. */
const readUpToLimit = async (exchange: Exchange): Promise<Reply> => {
  await exchange.body(limit)
  return { status: 200, headers: {}, body: "" }
}

const answerAtOnce = async (): Promise<Reply> => ({ status: 200, headers: {}, body: "" })

const undeclared = { "transfer-encoding": "chunked" }

it.each([
  ["without a body", "", {}, answerAtOnce, null],
  ["whose short body is unread", "x", { "content-length": String(16 * 1_024) }, answerAtOnce, null],
  ["whose long body is unread", "x", { "content-length": String(16 * 1_024 + 1) }, answerAtOnce, "close"],
  ["whose body of unknown length is unread", "x", undeclared, answerAtOnce, "close"],
  ["whose body of unknown length was read", "x".repeat(limit), undeclared, readUpToLimit, null],
  ["whose body of unknown length is too long", "x".repeat(limit + 1), undeclared, readUpToLimit, "close"],
])(
  "closes the connection of a request %s only if another request couldn't follow on it",
  async (_, body, headers, respond, connection) => {
    const request = new Request("https://shop.example/x", { method: "POST", body, headers })
    const response = await fetchHandler({ respond })(request)
    expect(response.headers.get("connection")).toBe(connection)
  },
)

it("keeps the connection of a request whose body the host has read", async () => {
  const request = new Request("https://shop.example/x", { method: "POST", body: "x", headers: undeclared })
  await request.text()
  const response = await fetchHandler({ respond: answerAtOnce })(request)
  expect(response.headers.get("connection")).toBeNull()
})

it.each([
  ["/", "/api/pix", "/api/pix"],
  ["/a/b", "/a/b/api/pix?x=1", "/api/pix?x=1"],
  ["/a/b/", "/a/b//api/pix", "//api/pix"],
  ["/a/b", "/a/b", "/"],
  ["/a/b", "/a/b?x=1", "/?x=1"],
])("removes the base path %s from %s: %s", async (base, path, url) => {
  const urls: Array<string> = []
  const respond = (exchange: Exchange) => void urls.push(exchange.url)
  await fetchHandler({ respond }, base)(new Request(`https://shop.example${path}`))
  expect(urls).toEqual([url])
})

it.each(["/api/pix", "/a/bc/api/pix", "/A/b/api/pix", "//a/b/api/pix", "/x/a/b/api/pix", "/"])(
  "answers %s with 404 in the error shape, because it is outside the base path /a/b",
  async (path) => {
    const respond = () => expect.unreachable("expected no call of respond")
    const response = await fetchHandler({ respond }, "/a/b")(new Request(`https://shop.example${path}`))
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ sucesso: false, errors: "Rota inexistente." })
  },
)

it.each(["payments", "/a//b", "/a/..", "/./a", "/a?x=1", "/[path]", "/a b", "https://shop.example/a", undefined])(
  "rejects the base path %s",
  (base) => {
    expect(() => fetchHandler({ respond: () => undefined }, base ?? (null as never))).toThrow('like "/api/payments"')
  },
)
