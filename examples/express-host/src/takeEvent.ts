import { isPixError, type Pix, type PlainEvent } from "@pixcharge/embed"
import type { Database } from "./database.ts"
import { closeOrder, markPaid, markRefunded } from "./orders.ts"

/** The events that the shop needs to know what becomes of each item and each centavo. */
export const takenKinds = ["paid", "refunded", "expired", "cancelled", "exception"] as const

/**
 * Records an event of pixcharge in the shop's books, in one transaction. The order's state decides: a repeated event changes
 * nothing, and neither does an older event that comes late.
 *
 * It calls pixcharge only after the transaction: on the embedded database, a call within it would wait for the transaction, which
 * waits for the call. If the process ends in between, the event comes again.
 */
export const takeEvent = async ({ transaction }: Database, pix: Pix, event: PlainEvent): Promise<void> => {
  const { issuer, occurredAtIso: at } = event
  switch (event.kind) {
    case "paid": {
      const { chargeId } = event.payment
      const isServed = await transaction((query) => markPaid(query, chargeId, at))
      if (!isServed) await pix.refund(issuer, chargeId, { reason: "Produto esgotado" })
      return
    }
    case "refunded":
      return transaction((query) => markRefunded(query, event.payment.chargeId, at))
    case "expired":
    case "cancelled":
      return transaction((query) => closeOrder(query, event.charge.chargeId, at))
    case "exception":
      // A second payment of an order goes back. A person decides about other payments that settled no charge.
      if (event.exception.reason === "furtherPayment") await returnException(pix, issuer, event.exception.endToEndId)
  }
}

const returnException = async (pix: Pix, issuer: string, endToEndId: string): Promise<void> => {
  try {
    await pix.exceptions.refund(issuer, endToEndId)
  } catch (error) {
    // A person has decided to keep it.
    if (!isPixError(error, "ExceptionClosed")) throw error
  }
}
