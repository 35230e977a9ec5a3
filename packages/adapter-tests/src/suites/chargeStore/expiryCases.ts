import type { CancelledBy, PendingCharge, PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aCancelledCharge, aChange, aPaidCharge } from "../../fixtures/Charges.ts"
import { commit, find, insertCharge, paidEventId, refundCharge, settleCharge } from "../commits.ts"
import { due, eventIds, listDeliveries, settleAll } from "../outbox/queue.ts"
import type { StoreTests } from "../StoreDriver.ts"

const expired = (charge: PendingCharge): PendingCharge => ({
  ...charge,
  version: charge.version + 1,
  updatedAt: charge.updatedAt + 5,
  expiryEventAt: charge.updatedAt + 5,
})

const anExpiredEvent = (charge: PendingCharge): PixEvent<"expired"> => {
  const { issuer, id, txid, amountCents } = charge
  return {
    id: `evt_${id}_expired`,
    kind: "expired",
    issuer,
    companyName: "Padaria Aurora Ltda",
    occurredAt: charge.payableUntil,
    charge: { chargeId: id, txid, amountCents },
    payableUntil: charge.payableUntil,
  }
}

const expiry = (charge: PendingCharge) =>
  aChange(charge, { next: expired(charge), deliveries: [{ event: anExpiredEvent(charge), endpointId: "loja" }] })

const insertExpired = Effect.gen(function* () {
  const charge = yield* insertCharge()
  expect((yield* commit(expiry(charge))).moved).toBe(true)
  return expired(charge)
})

export const expiryCases = ({ test }: StoreTests): void => {
  test("keeps the moment of a charge's expiry event until the charge is refunded", () =>
    Effect.gen(function* () {
      const charge = yield* insertExpired
      expect(yield* find(charge)).toEqual(charge)
      const paid = yield* settleCharge(charge)
      expect(yield* find(charge)).toEqual(paid)
      expect(yield* refundCharge(paid)).toMatchObject({ expiryEventAt: charge.expiryEventAt })
      expect(yield* find(charge)).toMatchObject({ _tag: "Refunded", expiryEventAt: charge.expiryEventAt })
    }))

  test("keeps who cancelled a charge, and whether its expiry was published before", () =>
    Effect.gen(function* () {
      const all: ReadonlyArray<CancelledBy | undefined> = ["host", "portal", "bank", "terms", undefined]
      for (const cancelledBy of all) {
        for (const charge of [yield* insertCharge(), yield* insertExpired]) {
          const next = { ...aCancelledCharge(charge), ...(cancelledBy && { cancelledBy }) }
          expect((yield* commit(aChange(charge, { next }))).moved).toBe(true)
          expect(yield* find(charge)).toEqual(next)
        }
      }
    }))

  test("publishes an expiry once if 20 processes find it", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => commit(expiry(charge))),
        { concurrency: "unbounded" },
      )
      expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
      expect(yield* listDeliveries({})).toHaveLength(1)
      expect(yield* find(charge)).toEqual(expired(charge))
    }))

  test("publishes either a payment alone or an expiry and then the payment, if both come at once", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      const next = aPaidCharge(charge)
      const payment = aChange(charge, { next, payments: [next.payment] })
      const [asExpired, asPaid] = yield* Effect.all([commit(expiry(charge)), commit(payment)], { concurrency: 2 })
      expect([asExpired.moved, asPaid.moved].toSorted()).toEqual([false, true])
      const published = asExpired.moved ? [anExpiredEvent(charge).id] : []
      expect(eventIds(yield* listDeliveries({}))).toEqual(published)
    }))

  test("sends a late payment's event after the expiry's", () =>
    Effect.gen(function* () {
      const charge = yield* insertExpired
      const paid = yield* settleCharge(charge, undefined, ["loja"])
      expect(eventIds(yield* settleAll({ _tag: "Delivered" }))).toEqual([anExpiredEvent(charge).id])
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))
}
