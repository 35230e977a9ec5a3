import { PaymentSimulation } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import { ChargeId } from "@pixcharge/core/schema"
import * as Effect from "effect/Effect"
import { HttpRouter, HttpServer } from "effect/http"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { afterAll, expect, it } from "vitest"
import { makePix, Paid, shop } from "../src/pix.ts"
import { ShopRoutes } from "../src/shopApi.ts"

const PixLive = Layer.provideMerge(makePix({ background: false }), Paid.layer)
const pix = ManagedRuntime.make(PixLive)
const routes = ShopRoutes.pipe(Layer.provide(PixLive), Layer.provide(HttpServer.layerServices))
const { handler, dispose } = HttpRouter.toWebHandler(routes, { memoMap: pix.memoMap, disableLogger: true })
afterAll(() => Promise.all([dispose(), pix.dispose()]))

const call = async (path: string, order?: object) => {
  const post = { method: "POST", body: JSON.stringify(order), headers: { "content-type": "application/json" } }
  const response = await handler(new Request(`http://shop${path}`, order && post))
  const text = await response.text()
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
}

const id = "7E57AB1E-0000-4000-8000-00000000000A"
const order = { id, amountCents: 6_490, payer: { name: "Maria", taxId: "529.982.247-25" } }

it("issues an order's charge, finds it by its id in upper or lower case, and sees its payment", async () => {
  const placed = await call("/orders", order)
  expect(placed).toEqual({
    status: 200,
    body: { id: id.toLowerCase(), amountCents: 6_490, brCode: expect.stringMatching(/^000201/) },
  })
  expect(Result.isSuccess(decodeBrCode(placed.body.brCode))).toBe(true)
  expect(await call("/orders", order)).toEqual(placed)
  expect(await call(`/orders/${id}/paid`)).toEqual({ status: 200, body: false })
  const { simulate } = await pix.runPromise(PaymentSimulation)
  await Effect.runPromise(simulate(shop, Schema.decodeSync(ChargeId)(id)))
  expect(await call(`/orders/${id}/paid`)).toEqual({ status: 200, body: true })
})

it("refuses invalid orders with pixcharge's messages and codes", async () => {
  expect(await call("/orders", { ...order, amountCents: 1 })).toMatchObject({
    status: 409,
    body: { title: "The order was refused", code: "PIX_CHARGE_CONFLICT" },
  })
  expect(await call(`/orders/7E57AB1E-0000-4000-8000-00000000000B/paid`)).toMatchObject({ status: 404 })
  const wrong = await call("/orders", { ...order, payer: { name: "Maria", taxId: "529.982.247-26" } })
  expect(wrong).toMatchObject({
    status: 400,
    body: {
      errors: [
        {
          path: ["payload", "payer", "taxId"],
          message:
            "The charge's payer.taxId must be a CPF or a CNPJ with right check digits, with or without punctuation.",
        },
      ],
    },
  })
  expect(JSON.stringify(wrong)).not.toContain("529")
})

it("documents the API's requests and answers", async () => {
  const { body } = await call("/openapi.json")
  const inJson = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } })
  expect(body.paths["/orders"].post.requestBody.content).toEqual(inJson("ChargeRequestInput"))
  expect(body.components.schemas.ChargeId).toMatchObject({ type: "string", format: "uuid" })
  expect(body.components.schemas.Cents).toMatchObject({ type: "integer", minimum: 0 })
})
