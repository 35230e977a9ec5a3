import { pixRoutes } from "@pixcharge/hono"
import type { Responder } from "@pixcharge/http"
import { Hono } from "hono"
import { expect, it } from "vitest"

it.each([
  ["/pay/v1", "/"],
  ["/pay/v1/", "/"],
  ["/pay/v1/api/pix?a=/b", "/api/pix?a=/b"],
  ["/pay/v1//api//pix/", "//api//pix/"],
  ["/pay/v1?back=/api/pix", "/?back=/api/pix"],
])("of %s, %s is below the mount", async (url, below) => {
  const asked: Array<string> = []
  const respond: Responder["respond"] = (exchange) => void asked.push(exchange.url)
  await new Hono().route("/pay/:version", pixRoutes({ respond })).request(url)
  expect(asked).toEqual([below])
})
