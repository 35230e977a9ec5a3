import { pixPlugin } from "@pixcharge/fastify"
import type { Responder } from "@pixcharge/http"
import fastify from "fastify"
import { expect, it } from "vitest"

it("passes on properties that the host's hooks set on the request", async () => {
  const asked: Array<unknown> = []
  const respond: Responder["respond"] = ({ frameworkRequest }) => void asked.push(frameworkRequest)
  const app = fastify().decorateRequest("user", "")
  app.addHook("onRequest", async (request) => void request.setDecorator("user", "ana"))
  await app.register(pixPlugin({ respond }), { prefix: "/portal" })
  await app.inject("/portal/charges")
  expect(asked).toMatchObject([{ user: "ana", originalUrl: "/portal/charges" }])
})

it("the host keeps its page at the prefix itself", async () => {
  const app = fastify()
  app.get("/portal", () => "host")
  app.register(pixPlugin({ respond: () => Promise.resolve({ status: 200, headers: {}, body: "app" }) }), {
    prefix: "/portal",
  })
  expect([(await app.inject("/portal")).body, (await app.inject("/portal/x")).body]).toEqual(["host", "app"])
})

it("without a prefix, the host can have a page at its root", async () => {
  const app = fastify()
  await app.register(pixPlugin({ respond: () => undefined }))
  app.get("/", () => "host")
  expect((await app.inject("/")).body).toBe("host")
})

it("rejects anything but a responder when it is mounted", () => {
  expect(() => pixPlugin({} as Responder)).toThrow("pixPlugin needs what createPix returns")
})
