import swagger from "@fastify/swagger"
import { Validator } from "@seriousme/openapi-schema-validator"
import { pixPlugin } from "@pixcharge/fastify"
import Fastify, { type FastifyInstance } from "fastify"
import { expect, it } from "vitest"

const ours = () => Promise.resolve({ status: 200, headers: {}, body: "ours" })

const documented = async (addRoutes: (app: FastifyInstance) => unknown) => {
  const app = Fastify()
  await app.register(swagger, { openapi: { info: { title: "a shop", version: "1" } } })
  await addRoutes(app)
  await app.ready()
  return { app, document: app.swagger() }
}

const addOwn = (app: FastifyInstance) => app.get("/orders", () => "theirs").post("/orders", () => "theirs")

it.each(["/payments", ""])("adds no routes below %s to the host's document, which stays valid", async (prefix) => {
  const { app, document } = await documented(async (host) => {
    await host.register(pixPlugin({ respond: ours }), { prefix })
    addOwn(host)
  })
  const without = await documented(addOwn)
  expect(document).toEqual(without.document)
  expect(await new Validator().validate(structuredClone(document) as Record<string, unknown>)).toMatchObject({
    valid: true,
  })
  expect(app.supportedMethods).toEqual(without.app.supportedMethods)
  expect((await app.inject({ method: "GET", url: `${prefix}/api/pix` })).body).toBe("ours")
  expect((await app.inject({ method: "PROPFIND" as "GET", url: `${prefix}/api/token/c2VncmVkbw` })).body).toBe("ours")
  expect((await app.inject({ method: "POST", url: "/orders" })).body).toBe("theirs")
})
