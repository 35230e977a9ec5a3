import { openRequest, startHost } from "@pixcharge-examples/demonstration"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const main = `${import.meta.dirname}/../dist/main.js`
const secret = Buffer.from("12345678000195|chave-de-demonstracao").toString("base64")

describe("pnpm start:express", () => {
  let host: Awaited<ReturnType<typeof startHost>>
  beforeAll(async () => {
    host = await startHost(main)
  })
  afterAll(() => host.child.kill("SIGKILL"))

  it("prints what to try, at its own address", () => {
    expect(host.tries()).toContain(`${host.baseUrl}/api/token/`)
    expect(host.tries().match(/^curl /gm)?.length).toBeGreaterThan(3)
  })

  const json = async (path: string, init: RequestInit = {}) => {
    const headers = { "content-type": "application/json", ...init.headers }
    const response = await fetch(`${host.baseUrl}${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  it("an order is charged, however often the charge is asked for, and paid", async () => {
    const made = await json("/shop/orders", {
      method: "POST",
      body: JSON.stringify({ product: "café", amountCents: 2_500 }),
    })
    expect(made.status).toBe(201)
    const order = `/shop/orders/${made.body["id"]}`
    const first = await json(`${order}/charge`, { method: "POST" })
    expect(first.body["brCode"]).toMatch(/^000201/)
    expect(await json(`${order}/charge`, { method: "POST" })).toEqual(first)
    expect((await json(order)).body).toEqual({ product: "café", payment: "pending" })
  })

  it.each(["", "/shop/payments"])("the charge service answers below %j", async (prefix) => {
    const token = await json(`${prefix}/api/token/${encodeURIComponent(secret)}`)
    expect(token.body["data"]).toBeTypeOf("string")
    const authorization = `Bearer ${String(token.body["data"])}`
    const broken = await json(`${prefix}/api/pix`, { method: "POST", headers: { authorization }, body: "{" })
    expect(broken).toMatchObject({ status: 400, body: { sucesso: false } })
  })

  it("the app's own routes keep their own errors", async () => {
    expect(await json("/shop/orders/unknown")).toEqual({ status: 404, body: { error: "no such order" } })
    expect((await json("/shop/orders", { method: "POST", body: "{}" })).status).toBe(400)
  })

  const personal = '{"cliente":{"xNome":"Maria da Silva","documento":"123.456.789-09"}'

  it.each([
    ["a body that is no JSON", "/shop/orders", { method: "POST", body: personal }, 400],
    ["a body that is too large", "/shop/orders", { method: "POST", body: `["${personal.repeat(4_000)}"]` }, 413],
    ["a path that can't be read", "/shop/orders/%E0%A4%A", {}, 400],
    ["a path that nobody serves", `/API/token/${secret}`, {}, 404],
  ])("%s is answered without a stack, and nothing of it is logged", async (_, path, init, status) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(`${host.baseUrl}${path}`, { ...init, headers })
    expect(response.status).toBe(status)
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8")
    // What is logged after an answer is there once another one has come.
    await json("/shop/orders/unknown")
    const shown = `${await response.text()}\n${host.logs().replace(host.tries(), "")}`
    for (const word of ["Maria", "123.456.789-09", secret, "%E0", "node_modules", "    at "]) {
      expect(shown).not.toContain(word)
    }
  })

  it("an error of its own is a 500 that says no more, and is logged by its name", async () => {
    const made = await json("/shop/orders", {
      method: "POST",
      body: JSON.stringify({ product: "café", amountCents: 1_000_000_000_000 }),
    })
    expect(await json(`/shop/orders/${made.body["id"]}/charge`, { method: "POST" })).toEqual({
      status: 500,
      body: { error: "something went wrong" },
    })
    await json("/shop/orders/unknown")
    expect(host.logs()).toContain("a request failed: InvalidChargeRequest")
  })

  it("ends cleanly and soon, though a client is amid a request", async () => {
    await openRequest(host.baseUrl, "/shop/orders")
    const { code, tookMs } = await host.stop()
    expect(code).toBe(0)
    // The client would be given half a minute and more.
    expect(tookMs).toBeLessThan(10_000)
  })
})
