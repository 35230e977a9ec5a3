import { EventDispatcher, PaymentSimulation, PixCharges, ProcessorUnavailable } from "@pixcharge/core"
import { Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { makePix, Paid, shop } from "../src/pix.ts"
import { offerBook, sendBook } from "../src/sellBook.ts"

const orderId = "7e57ab1e-0000-4000-8000-000000000001"
const book = { title: "Grande Sertão: Veredas", priceCents: 6_490 }

/** A new pixcharge for each test, without background work. */
const makeTestPix = () => Layer.provideMerge(makePix({ background: false }), Layer.merge(Paid.layer, TestClock.layer()))

it("sends a book once its payment is reported", () =>
  Effect.gen(function* () {
    const { id } = yield* offerBook(orderId, book)
    expect(yield* sendBook(id)).toBe("not yet")

    const { simulate } = yield* PaymentSimulation
    yield* simulate(shop, id)
    const { roundWithin } = yield* EventDispatcher
    yield* roundWithin(1_000)

    const paidId = yield* Queue.take(yield* Paid)
    expect(yield* sendBook(paidId)).toBe("sent")
  }).pipe(Effect.provide(makeTestPix()), Effect.runPromise))

it("refuses to charge an order of last week", () =>
  Effect.gen(function* () {
    yield* offerBook(orderId, book)
    yield* TestClock.adjust("7 days")
    const refused = yield* Effect.flip(offerBook(orderId, book))
    expect(refused._tag).toBe("ChargeExpired")
  }).pipe(Effect.provide(makeTestPix()), Effect.runPromise))

it("calls a silent bank three times", () => {
  let calls = 0
  const NoAnswer = Layer.mock(PixCharges, {
    issue: () =>
      Effect.suspend(() => {
        calls += 1
        return Effect.fail(new ProcessorUnavailable({ operation: "register" }))
      }),
  })
  return Effect.gen(function* () {
    const error = yield* Effect.flip(offerBook(orderId, book))
    expect(error._tag).toBe("ProcessorUnavailable")
    expect(calls).toBe(3)
  }).pipe(Effect.provide(NoAnswer), Effect.runPromise)
})

it("refuses an order without a price with a tagged error", () =>
  Effect.gen(function* () {
    const refused = yield* Effect.flip(offerBook(orderId, { title: "Gratuito", priceCents: 0 }))
    expect(refused._tag).toBe("InvalidChargeRequest")
  }).pipe(Effect.provide(makeTestPix()), Effect.runPromise))
