import type { Exchange, Reply } from "@pixcharge/core"
import { expect, it } from "vitest"
import { fetchHandler } from "../src/fetchHandler.ts"
import { pathAndQuery } from "../src/paths.ts"

const answering = (body: Reply["body"]) => {
  const asked: Array<Exchange> = []
  const respond = (exchange: Exchange) => {
    asked.push(exchange)
    return Promise.resolve({ status: 200, headers: { "content-type": "text/plain" }, body })
  }
  return { handle: fetchHandler({ respond }), asked }
}

it.each([
  ["a text", "Olá.", null],
  ["bytes", new Uint8Array(7), null],
  ["a stream", new ReadableStream<Uint8Array>(), "close"],
])("%s declares no length, and a stream closes its connection", async (_, body, connection) => {
  const { handle } = answering(body)
  const { headers } = await handle(new Request("https://shop.example/x"))
  expect([headers.get("content-length"), headers.get("connection")]).toEqual([null, connection])
})

it("answers HEAD without the stream, and cancels it", async () => {
  let isGivenUp = false
  const stream = new ReadableStream<Uint8Array>({ cancel: () => void (isGivenUp = true) })
  const response = await answering(stream).handle(new Request("https://shop.example/x", { method: "HEAD" }))
  expect([response.status, response.body, isGivenUp]).toEqual([200, null, true])
})

it("answers a foreign path with 404 in the error shape", async () => {
  const response = await fetchHandler({ respond: () => undefined })(new Request("https://shop.example/x"))
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ sucesso: false, errors: "Rota inexistente." })
})

it("passes on the web request", async () => {
  const { handle, asked } = answering("")
  const request = new Request("https://shop.example/x")
  await handle(request)
  expect(asked[0]?.frameworkRequest).toBe(request)
})

it("a request's signal is the caller's own", async () => {
  const { handle, asked } = answering("")
  const caller = new AbortController()
  await handle(new Request("https://shop.example/x", { signal: caller.signal }))
  expect(asked[0]?.signal.aborted).toBe(false)
  caller.abort()
  expect(asked[0]?.signal.aborted).toBe(true)
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
])("the path and query of %s are %s", (url, path) => {
  expect(pathAndQuery(url)).toBe(path)
})

const limit = 64

/** Reads up to 64 bytes of the body first. */
const readUpToLimit = async (exchange: Exchange): Promise<Reply> => {
  await exchange.body(limit)
  return { status: 200, headers: {}, body: "" }
}

const answerAtOnce = async (): Promise<Reply> => ({ status: 200, headers: {}, body: "" })

const undeclared = { "transfer-encoding": "chunked" }

it.each([
  ["without a body", "", {}, answerAtOnce, null],
  ["whose short body is left", "x", { "content-length": String(16 * 1_024) }, answerAtOnce, null],
  ["whose long body is left", "x", { "content-length": String(16 * 1_024 + 1) }, answerAtOnce, "close"],
  ["whose body of unknown length is left", "x", undeclared, answerAtOnce, "close"],
  ["whose body of unknown length was read", "x".repeat(limit), undeclared, readUpToLimit, null],
  ["whose body turned out to be too long", "x".repeat(limit + 1), undeclared, readUpToLimit, "close"],
])(
  "a request %s closes its connection only if no other request could follow",
  async (_, body, headers, respond, connection) => {
    const request = new Request("https://shop.example/x", { method: "POST", body, headers })
    const response = await fetchHandler({ respond })(request)
    expect(response.headers.get("connection")).toBe(connection)
  },
)

it("a request whose body the host has read keeps its connection", async () => {
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
])("below the base path %s, %s is %s", async (base, path, url) => {
  const asked: Array<string> = []
  const respond = (exchange: Exchange) => void asked.push(exchange.url)
  await fetchHandler({ respond }, base)(new Request(`https://shop.example${path}`))
  expect(asked).toEqual([url])
})

it.each(["/api/pix", "/a/bc/api/pix", "/A/b/api/pix", "//a/b/api/pix", "/x/a/b/api/pix", "/"])(
  "%s is outside the base path /a/b, and gets a 404 in the error shape",
  async (path) => {
    const respond = () => expect.unreachable("asked for what is not ours")
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
