import type { Exchange, Reply } from "@pixcharge/core"
import { expect, it } from "vitest"
import { fetchHandler } from "../src/fetchHandler.ts"
import { pathAndQuery } from "../src/pathAndQuery.ts"

const answering = (body: Reply["body"]) => {
  const asked: Array<Exchange> = []
  const respond = (exchange: Exchange) => {
    asked.push(exchange)
    return Promise.resolve({ status: 200, headers: { "content-type": "text/plain" }, body })
  }
  return { handle: fetchHandler({ respond }), asked }
}

it.each([
  ["a text", "Olá.", "5"],
  ["bytes", new Uint8Array(7), "7"],
  ["a stream", new ReadableStream<Uint8Array>(), null],
])("%s has its length declared if it is known, whatever the server makes of it", async (_, body, length) => {
  const { handle } = answering(body)
  const response = await handle(new Request("https://shop.example/x"))
  expect(response.headers.get("content-length")).toBe(length)
})

it("what is none of ours is a 404 in the error shape", async () => {
  const response = await fetchHandler({ respond: () => undefined })(new Request("https://shop.example/x"))
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ sucesso: false, errors: "Rota inexistente." })
})

it("the signal of a request is the caller's own", async () => {
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
])("the path and query of %s are %s", (url, path) => {
  expect(pathAndQuery(url)).toBe(path)
})
