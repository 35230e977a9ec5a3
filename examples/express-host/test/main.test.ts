import { startStopwatch } from "@pixcharge/adapter-tests/fixtures"
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { once } from "node:events"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newDatabase } from "./newDatabase.ts"
import { killShops, operatorKey, type RunningShop, startShop } from "./startShop.ts"

const main = `${import.meta.dirname}/../dist/main.js`
const start = `${import.meta.dirname}/../../../verify/start.mjs`

const folder = mkdtempSync(join(tmpdir(), "pixcharge-shop-"))
afterAll(() => {
  killShops()
  rmSync(folder, { recursive: true, force: true })
})

const post = (url: string, headers: Readonly<Record<string, string>> = {}, body = "") =>
  fetch(url, { method: "POST", redirect: "manual", headers, ...(body !== "" && { body }) })

/** Orders a mug like a browser; returns the order's address. */
const order = async ({ url }: RunningShop): Promise<string> => {
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const response = await post(`${url}/orders`, form, "product=caneca")
  return `${url}${response.headers.get("location")}`
}

/** Places an order, pays it in the sandbox, and refunds it as the operator. Returns the order's address. */
const liveOrder = async (shop: RunningShop): Promise<string> => {
  const page = await order(shop)
  const show = async () => (await fetch(page)).text()
  const link = (await post(`${page}/checkout`)).headers.get("location") ?? ""
  expect(await (await fetch(link)).text()).toContain("000201")
  expect((await post(`${page}/pay`)).status).toBe(303)
  await expect.poll(show).toContain("Pago")

  const refund = `${page.replace("/orders", "/operator/orders")}/refund`
  const answer = await post(refund, { authorization: `Bearer ${operatorKey}` })
  expect(await answer.json()).toEqual({ status: "refunded" })
  await expect.poll(show).toContain("Devolvido")
  return page
}

describe("pnpm start:express", () => {
  it("sells with the embedded database, keeps orders over a restart, and ends at SIGTERM", async () => {
    const first = await startShop(["--liftoff-only", start, "express-host"], "", folder)
    const page = await liveOrder(first)
    expect(await first.stop()).toBe(0)
    expect(readdirSync(folder)).toEqual([".pixcharge-express"])

    const second = await startShop(["--liftoff-only", main], "", folder)
    expect(await (await fetch(page.replace(first.url, second.url))).text()).toContain("Devolvido")
    expect(await second.stop()).toBe(0)
  })
})

it("asks for DATABASE_URL if it can't write to its folder", async () => {
  // Root can write despite any mode, but can't make a folder in /sys.
  const readOnly = process.getuid?.() === 0 ? "/sys" : mkdtempSync(join(folder, "read-only-"))
  if (readOnly !== "/sys") chmodSync(readOnly, 0o500)
  await expect(startShop(["--liftoff-only", main], "", readOnly)).rejects.toThrow(
    /^the shop ended with 1: Opening the embedded database in .+\n.+ can't be written to: .+ Set DATABASE_URL to a Postgres URL\.\n$/,
  )
})

describe("the shop on a Postgres server", () => {
  let shop: RunningShop
  let database: pg.Client
  const secret = Buffer.from("12345678000195|some key").toString("base64url")

  beforeAll(async () => {
    const url = await newDatabase()
    shop = await startShop([main], url, folder)
    database = new pg.Client({ connectionString: url })
    await database.connect()
  })
  afterAll(() => database.end())

  it("sells, and sends events to the warehouse", async () => {
    await liveOrder(shop)
    const states = async () => (await database.query("SELECT state FROM warehouse.parcels")).rows
    await expect.poll(states).toEqual([{ state: "keep" }])
  })

  it("prints a command that issues invoices when pasted", () => {
    const [command = ""] = /^curl \S+\/operator\/invoices .+\\\n.+$/m.exec(shop.logs()) ?? []
    const { stdout } = spawnSync("bash", ["-c", command], { encoding: "utf8" })
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object)
    expect(results).toMatchObject([{ done: 1 }, { done: 2, failed: 0 }])
  })

  it("answers an unreadable body of the contract in the contract's error shape", async () => {
    const response = await post(`${shop.url}/payments/api/token`, { "content-type": "application/json" }, "{")
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ sucesso: false })
  })

  const personal = '{"cliente":{"xNome":"Maria da Silva","documento":"123.456.789-09"}'

  it.each([
    ["a body that isn't JSON", "/orders", { method: "POST", body: personal }, 400],
    ["a body that is too large", "/orders", { method: "POST", body: `["${personal.repeat(4_000)}"]` }, 413],
    ["an unknown product", "/orders", { method: "POST", body: personal.replace("{", '{"product":"x",') + "}" }, 404],
    ["an unreadable path", "/orders/%E0%A4%A", {}, 400],
    ["an unknown order", `/orders/${secret}`, {}, 404],
    ["a path without a route", `/API/token/${secret}`, {}, 404],
  ])("answers %s without a stack, and logs nothing of the request", async (_, path, init, status) => {
    const response = await fetch(shop.url + path, { ...init, headers: { "content-type": "application/json" } })
    expect(response.status).toBe(status)
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8")
    // Once another request is answered, the log is complete.
    await fetch(shop.url)
    const shown = `${await response.text()}\n${shop.logs()}`
    for (const word of ["Maria", "123.456.789-09", secret, "%E0", "node_modules", "    at "]) {
      expect(shown).not.toContain(word)
    }
  })

  it("answers a route's error with a bare 500, and logs the error's name", async () => {
    await database.query("UPDATE shop.products SET price_cents = 0 WHERE id = 'caneca'")
    const response = await post(`${await order(shop)}/checkout`)
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: "something went wrong" })
    await expect.poll(shop.logs).toContain("a request failed: InvalidChargeRequest")
  })

  it("explains in one sentence why it can't start", async () => {
    const url = new URL(await newDatabase())
    url.pathname = "/no_such_shop"
    await expect(startShop([main], url.href, folder)).rejects.toThrow(
      /^the shop ended with 1: [^\n]*"no_such_shop" does not exist\n$/,
    )
  })

  it("ends cleanly and soon although a client's request is incomplete", async () => {
    const client = connect(Number(new URL(shop.url).port), "127.0.0.1")
    await once(client, "connect")
    client.on("error", () => undefined)
    client.write("POST /orders HTTP/1.1\r\n")
    const stop = startStopwatch()
    expect(await shop.stop()).toBe(0)
    // Waiting for the client would take more than half a minute.
    expect(stop()).toBeLessThan(20_000)
  })
})
