import { describe, expect, it } from "vitest"
import { mounts, serve, shown, testApp } from "./world.ts"

const type = "application/x-www-form-urlencoded"
const post = (body: string, contentType: string = type) => ({
  method: "POST",
  headers: { "content-type": contentType },
  body,
})
const quote = (text: string) => text.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

describe.each(Object.entries(mounts))("a form sent to an app mounted by %s", (_, mount) => {
  it.each([
    ["note=a+b%20c&amount=1%2C50", type, { note: "a b c", amount: "1,50" }],
    ["note=caf%C3%A9%0D%0A", `${type}; charset=utf-8`, { note: "café\r\n" }],
    ["note=", "APPLICATION/x-www-form-urlencoded", { note: "" }],
  ])("is read: %s", async (body, contentType, fields) => {
    const answer = await (await serve(testApp(), "/p", mount))("/charges/7", post(body, contentType))
    expect((await shown(answer)).text).toBe(`7 ${quote(JSON.stringify(fields))}`)
  })

  it.each([
    ["a repeated field", post("a=1&a=2"), 400],
    ["JSON", post('{"a":"1"}', "application/json"), 415],
    ["a multipart form", { method: "POST", body: new FormData() }, 415],
    ["a text", post("a=1", "text/plain"), 415],
    ["a form of more than 64 KB", post(`a=${"x".repeat(66_000)}`), 413],
    [
      "bytes in an unknown encoding",
      { ...post("a=1"), headers: { "content-type": type, "content-encoding": "x" } },
      415,
    ],
  ])("is rejected: %s", async (_what, init, status) => {
    const answer = await (await serve(testApp(), "/p", mount))("/charges/7", init)
    expect(await shown(answer)).toMatchObject({ status, text: `failed with ${status}` })
  })

  it("has no inherited fields, like `constructor`", async () => {
    const answer = await (await serve(testApp(), "/p", mount))("/charges/7", post("a=1"))
    expect((await shown(answer)).text).not.toContain("constructor")
  })
})

it("calls no handler for a form that the host's parser refused, even if the handler reads no form", async () => {
  const ask = await serve(testApp(), "/p", mounts["express after its own parser of forms"])
  expect((await shown(await ask("/done", post("a=1")))).text).toBe("done")
  expect((await shown(await ask("/done", post(`a=${"x".repeat(62_000)}`)))).text).toBe("failed with 413")
})

it("rejects a list or an object that the host's parser made from fields", async () => {
  const ask = await serve(testApp(), "/p", mounts["express after its own parser of forms"])
  for (const body of ["a[b]=1", "a[]=1"]) {
    expect((await shown(await ask("/charges/7", post(body)))).status).toBe(400)
  }
})
