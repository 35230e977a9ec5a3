import { ChargeStore, type ExceptionChange, ExceptionStore } from "@pixcharge/core"
import type { ExceptionState, Payment } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { fixtureNow } from "../fixtures/Charges.ts"
import { anUnmatchedPayment } from "../fixtures/Payments.ts"

/** An exception under refund, whose check comes at this moment. */
export const refundingState = (checkAt = fixtureNow + 2_000): ExceptionState => ({
  _tag: "Refunding",
  refund: { id: "R1", attempt: 1, requestedAt: fixtureNow },
  checkAt,
})

/** An exception that was resolved with a note. */
export const resolved: ExceptionState = { _tag: "Resolved", note: 'pedido "12" \\ 🦜', resolvedAt: fixtureNow }

/** Moves the exception of a payment. */
export const commitException = (
  { issuer, endToEndId }: Payment,
  next: ExceptionState,
  change: Partial<ExceptionChange> = {},
) =>
  Effect.flatMap(ExceptionStore, (exceptions) =>
    exceptions.commit({ issuer, endToEndId, expectedVersion: 0, next, returns: [], ...change }),
  )

/** The exception of a payment, as it is stored. */
export const findException = ({ issuer, endToEndId }: Payment) =>
  Effect.flatMap(ExceptionStore, (exceptions) => exceptions.find(issuer, endToEndId))

/** Records a payment of no known charge. */
export const recordUnmatched = Effect.fnUntraced(function* (overrides: Partial<Payment> = {}) {
  const payment = anUnmatchedPayment(overrides)
  yield* (yield* ChargeStore).recordUnmatched(payment)
  return payment
})
