import type { Exchange } from "@pixcharge/core"
import { makeCsrf } from "@pixcharge/web"
import { createHmac } from "node:crypto"
import { expect, it } from "vitest"
import { makeExchange } from "./world.ts"

const makeSignatures = (key: string) => {
  const sign = async (text: string) => createHmac("sha256", key).update(text).digest("base64url")
  return { sign, verify: async (text: string, signature: string) => (await sign(text)) === signature }
}

let now = Date.UTC(2026, 10, 22)
const csrf = makeCsrf(makeSignatures("k"), () => now)
const makeRequest = (headers: Readonly<Record<string, string>> = {}): Exchange =>
  makeExchange("POST", "/", "/", { host: "loja.example", ...headers })

it("accepts our own page's form from its reader until its token expires", async () => {
  const token = await csrf.token("ana")
  expect(await csrf.isOwn(makeRequest(), "ana", token)).toBe(true)
  expect(await csrf.isOwn(makeRequest(), "eva", token)).toBe(false)
  expect(await makeCsrf(makeSignatures("other"), () => now).isOwn(makeRequest(), "ana", token)).toBe(false)
  now += 12 * 3_600_000 - 1
  expect(await csrf.isOwn(makeRequest(), "ana", token)).toBe(true)
  now += 1
  expect(await csrf.isOwn(makeRequest(), "ana", token)).toBe(false)
})

it.each([undefined, "", ".", "x.y", "9999999999999.", "NaN.x", "Infinity.x"])("rejects the token %j", async (token) => {
  expect(await csrf.isOwn(makeRequest(), "ana", token)).toBe(false)
})

it("rejects a token with a later expiry", async () => {
  const [expiresAt = "", signature = ""] = (await csrf.token("ana")).split(".")
  expect(await csrf.isOwn(makeRequest(), "ana", `${Number(expiresAt) + 1}.${signature}`)).toBe(false)
})

it("rejects a token for a reader's name that contains the expiry", async () => {
  const [expiresAt = "", signature = ""] = (await csrf.token("ana")).split(".")
  expect(await csrf.isOwn(makeRequest(), `ana","${expiresAt}`, `${expiresAt}.${signature}`)).toBe(false)
})

it.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, true],
  [{ "sec-fetch-site": "same-origin", origin: "null" }, true],
  [{ "sec-fetch-site": "none" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site" }, false],
  [{ "sec-fetch-site": "cross-site", origin: "https://loja.example" }, false],
  [{ origin: "https://loja.example" }, true],
  [{ origin: "http://LOJA.example" }, true],
  [{ origin: "web3://loja.example" }, true],
  [{ origin: "null" }, true],
  [{ origin: "https://loja.example.evil.example" }, false],
  [{ origin: "https://evil.example" }, false],
  [{ origin: "https://loja.example:8443" }, false],
])("accepts a form with a valid token and the headers %j: %j", async (headers, expected) => {
  expect(await csrf.isOwn(makeRequest(headers), "ana", await csrf.token("ana"))).toBe(expected)
})
