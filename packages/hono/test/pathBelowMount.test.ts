import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { Hono } from "hono"
import { expect, it } from "vitest"

it("removes one segment for a star in the mount's prefix", async () => {
  const urls: Array<string> = []
  const respond: Responder["respond"] = (exchange) => void urls.push(exchange.url)
  await new Hono().route("/shops/*/pay", pixRoutes({ respond })).request("/shops/1/pay/api/pix")
  expect(urls).toEqual(["/api/pix"])
})

it("rejects anything but a responder when it is mounted", () => {
  expect(() => pixRoutes({} as Responder)).toThrow("pixRoutes needs what createPix returns")
})

it.each([
  ["/pay/v1", "/"],
  ["/pay/v1/", "/"],
  ["/pay/v1/api/pix?a=/b", "/api/pix?a=/b"],
  ["/pay/v1//api//pix/", "//api//pix/"],
  ["/pay/v1?back=/api/pix", "/?back=/api/pix"],
])("finds below the mount for %s the path %s", async (url, below) => {
  const urls: Array<string> = []
  const respond: Responder["respond"] = (exchange) => void urls.push(exchange.url)
  await new Hono().route("/pay/:version", pixRoutes({ respond })).request(url)
  expect(urls).toEqual([below])
})
