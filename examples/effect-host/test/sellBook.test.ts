import { EventDispatcher, PaymentSimulation, PixCharges, ProcessorUnavailable } from "@pixcharge/core"
import { Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { expect, it } from "vitest"
import { makePix, Paid, shop } from "../src/pix.ts"
import { offerBook, sendBook } from "../src/sellBook.ts"

const orderId = "7e57ab1e-0000-4000-8000-000000000001"
const book = { title: "Grande Sertão: Veredas", priceCents: 6_490 }

/** A pixcharge of its own for each test, in which nothing happens by itself. */
const makeTestPix = () => Layer.provideMerge(makePix({ background: false }), Layer.merge(Paid.layer, TestClock.layer()))

it("a book is sent once its payment is heard of", () =>
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

it("an order of last week can't be paid any more", () =>
  Effect.gen(function* () {
    yield* offerBook(orderId, book)
    yield* TestClock.adjust("7 days")
    const refused = yield* Effect.flip(offerBook(orderId, book))
    expect(refused._tag).toBe("ChargeExpired")
  }).pipe(Effect.provide(makeTestPix()), Effect.runPromise))

it("a bank that doesn't answer is asked three times", () => {
  let asked = 0
  const NoAnswer = Layer.mock(PixCharges, {
    issue: () =>
      Effect.suspend(() => {
        asked += 1
        return Effect.fail(new ProcessorUnavailable({ operation: "register" }))
      }),
  })
  return Effect.gen(function* () {
    const error = yield* Effect.flip(offerBook(orderId, book))
    expect(error._tag).toBe("ProcessorUnavailable")
    expect(asked).toBe(3)
  }).pipe(Effect.provide(NoAnswer), Effect.runPromise)
})

it("an order without a price is refused with a tagged error", () =>
  Effect.gen(function* () {
    const refused = yield* Effect.flip(offerBook(orderId, { title: "Gratuito", priceCents: 0 }))
    expect(refused._tag).toBe("InvalidChargeRequest")
  }).pipe(Effect.provide(makeTestPix()), Effect.runPromise))
