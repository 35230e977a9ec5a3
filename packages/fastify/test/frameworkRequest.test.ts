import { pixPlugin } from "@pixcharge/fastify"
import type { Responder } from "@pixcharge/http"
import fastify from "fastify"
import { expect, it } from "vitest"

it("passes on properties that the host's hooks set on the request", async () => {
  const requests: Array<unknown> = []
  const respond: Responder["respond"] = ({ frameworkRequest }) => void requests.push(frameworkRequest)
  const app = fastify().decorateRequest("user", "")
  app.addHook("onRequest", async (request) => void request.setDecorator("user", "ana"))
  await app.register(pixPlugin({ respond }), { prefix: "/portal" })
  await app.inject("/portal/charges")
  expect(requests).toMatchObject([{ user: "ana", originalUrl: "/portal/charges" }])
})

it("leaves a page at the prefix itself to the host", async () => {
  const app = fastify()
  app.get("/portal", () => "host")
  app.register(pixPlugin({ respond: () => Promise.resolve({ status: 200, headers: {}, body: "app" }) }), {
    prefix: "/portal",
  })
  expect([(await app.inject("/portal")).body, (await app.inject("/portal/x")).body]).toEqual(["host", "app"])
})

it("leaves the root to the host if it is mounted without a prefix", async () => {
  const app = fastify()
  await app.register(pixPlugin({ respond: () => undefined }))
  app.get("/", () => "host")
  expect((await app.inject("/")).body).toBe("host")
})

it("rejects anything but a responder when it is mounted", () => {
  expect(() => pixPlugin({} as Responder)).toThrow("pixPlugin needs what createPix returns")
})
