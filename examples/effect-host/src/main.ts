import { NodeRuntime } from "@effect/platform-node"
import { PaymentSimulation } from "@pixcharge/core"
import { Console, Effect, Layer, Queue } from "effect"
import { randomUUID } from "node:crypto"
import { makePix, Paid, shop } from "./pix.js"
import { offerBook, sendBook } from "./sellBook.js"

const program = Effect.gen(function* () {
  const offer = yield* offerBook(randomUUID(), { title: "Grande Sertão: Veredas", priceCents: 6_490 })
  yield* Console.log(offer.brCode)
  yield* Console.log(yield* sendBook(offer.id))

  // Plays the payer, in the sandbox only; a real payer scans the code.
  const { simulate } = yield* PaymentSimulation
  yield* simulate(shop, offer.id)
  const paidId = yield* Queue.take(yield* Paid)
  yield* Console.log(yield* sendBook(paidId))
})

NodeRuntime.runMain(Effect.provide(program, Layer.provideMerge(makePix(), Paid.layer)))
