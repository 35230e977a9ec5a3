import { NodeRuntime } from "@effect/platform-node"
import { PaymentSimulation } from "@pixcharge/core"
import { Console, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { PixLive, shop } from "./pix.js"
import { offerBook, sendBook } from "./sellBook.js"

const program = Effect.gen(function* () {
  const orderId = randomUUID()
  const offer = yield* offerBook(orderId, { title: "Grande Sertão: Veredas", priceCents: 6_490 }).pipe(
    // The bank gave no answer. Asking again is safe: the same id is the same charge.
    Effect.retry({ while: ({ _tag }) => _tag === "ProcessorUnavailable", times: 2 }),
  )
  yield* Console.log(offer.brCode)
  yield* Console.log(yield* sendBook(offer.id))

  // Plays the payer, in the sandbox alone; a real one scans the code.
  const { simulate } = yield* PaymentSimulation
  yield* simulate(shop, offer.id)
  yield* Console.log(yield* sendBook(offer.id))
})

NodeRuntime.runMain(Effect.provide(program, PixLive))
