import { PixCharges } from "@pixcharge/core"
import { type ChargeId, parseChargeRequest } from "@pixcharge/core/charges"
import { Effect } from "effect"
import { shop } from "./pix.js"

export interface Book {
  readonly title: string
  readonly priceCents: number
}

/** Issues the charge of an order; returns its id and the code to pay. The same id and price give the same charge again. */
export const offerBook = Effect.fn("offerBook")(function* (orderId: string, book: Book) {
  const charges = yield* PixCharges
  const request = yield* Effect.fromResult(parseChargeRequest({ id: orderId, amountCents: book.priceCents }))
  const { brCode, id } = yield* charges.issue(shop, request).pipe(
    // The bank gave no answer. Repeating the call is safe: the same id is the same charge.
    Effect.retry({ while: ({ _tag }) => _tag === "ProcessorUnavailable", times: 2 }),
  )
  return { brCode, id }
})

/** Sends the book once it is paid. */
export const sendBook = Effect.fn("sendBook")(function* (id: ChargeId) {
  const charges = yield* PixCharges
  const charge = yield* charges.find(shop, id)
  return charge._tag === "Paid" ? "sent" : "not yet"
})
