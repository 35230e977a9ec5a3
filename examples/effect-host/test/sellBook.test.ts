import { PaymentSimulation } from "@pixcharge/core"
import { decodeBrCode } from "@pixcharge/core/brcode"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import { expect, it } from "vitest"
import { PixLive } from "../src/pix.ts"
import { offerBook, sendBook } from "../src/sellBook.ts"

const orderId = "7e57ab1e-0000-4000-8000-000000000001"
const book = { title: "Grande Sertão: Veredas", priceCents: 6_490 }

it("a book is sent once its charge is paid", async () => {
  const program = Effect.gen(function* () {
    const offer = yield* offerBook(orderId, book)
    expect(Result.isSuccess(decodeBrCode(offer.brCode))).toBe(true)
    expect(yield* sendBook(offer.id)).toBe("not yet")
    const simulation = yield* PaymentSimulation
    yield* simulation.simulate("12345678000195" as Cnpj, offer.id)
    expect(yield* sendBook(offer.id)).toBe("sent")
  })
  await Effect.runPromise(Effect.provide(program, PixLive))
})

it("an order without a price is refused with a tagged error", async () => {
  const exit = await Effect.runPromiseExit(
    Effect.provide(offerBook(orderId, { title: "Gratuito", priceCents: 0 }), PixLive),
  )
  expect(Exit.isFailure(exit) && String(exit.cause)).toContain("InvalidChargeRequest")
})
