import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import type { Hono } from "hono"
import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"

type HonoModule = { readonly Hono: new () => Hono }

const require = createRequire(import.meta.url)

/** Copies of Hono that a host can have besides the copy that `@pixcharge/hono` imports. */
const copies: ReadonlyArray<readonly [string, HonoModule]> = [
  ["the same release in CommonJS", require("hono")],
  ["4.0.0, the oldest version", await import("hono-4.0")],
  ["4.0.0 in CommonJS", require("hono-4.0")],
  ["4.7.11, which has no hono/route", await import("hono-4.7")],
  ["4.7.11 in CommonJS", require("hono-4.7")],
]

describe.each(copies)("with %s as the host's Hono", (_, other) => {
  it.each([
    ["/", "/api/pix?a=1"],
    ["/pay/:version", "/pay/v1/api/pix?a=1"],
  ])("pass on the path below %s, and leave other paths to the host", async (mount, url) => {
    const urls: Array<string> = []
    const respond: Responder["respond"] = (exchange) => {
      urls.push(exchange.url)
      return exchange.url.startsWith("/api/")
        ? Promise.resolve({ status: 410, headers: { "x-ours": "yes" }, body: "não paga" })
        : undefined
    }
    const app = new other.Hono()
    app.use("*", (_context, next) => next())
    app.route(mount, pixRoutes({ respond }))
    app.get("*", (context) => context.text("a shop"))
    const ours = await app.request(url)
    expect([ours.status, ours.headers.get("x-ours"), await ours.text()]).toEqual([410, "yes", "não paga"])
    const theirs = await app.request(url.replace("/api/pix", "/sobre"))
    expect([theirs.status, await theirs.text()]).toEqual([200, "a shop"])
    expect(urls).toEqual(["/api/pix?a=1", "/sobre?a=1"])
  })
})
