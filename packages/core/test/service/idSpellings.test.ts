import { ChargeLists, PixCharges, type ReceivedPayment } from "@pixcharge/core"
import type { PaymentNotice } from "@pixcharge/core/charge"
import { aCnpj, aNotice, aReturn, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { aPaidOne, exceptions, scenario } from "./World.ts"

const always = { from: 0, until: fixtureNow * 2 }

const record = (received: ReceivedPayment) =>
  Effect.flatMap(PixCharges, (charges) => charges.recordReceivedPayment(received))

const ids = Effect.flatMap(ChargeLists, (lists) =>
  Effect.map(lists.payments(aCnpj, always, { limit: 1000 }), ({ items }) => items.map((one) => one.endToEndId)),
)

const returns = Effect.flatMap(ChargeLists, (lists) =>
  Effect.map(lists.returns(aCnpj, always, { limit: 1000 }), ({ items }) => items),
)

const spellings: Readonly<Record<string, <N extends PaymentNotice>(notice: N) => N>> = {
  small: (notice) => ({ ...notice, endToEndId: notice.endToEndId.toLowerCase() }),
  capital: (notice) => ({ ...notice, endToEndId: notice.endToEndId.toUpperCase() }),
}

describe.each(Object.entries(spellings))("a payment whose id the processor writes again in %s letters", (_, spell) => {
  scenario("is the one that settled its charge, and so is what went back of it", (world) =>
    Effect.gen(function* () {
      const charge = yield* aPaidOne(world)
      const { payment } = charge
      const returned = aReturn(payment, { kind: "outside", amountCents: payment.amountCents })
      const { issuer, endToEndId, amountCents, paidAt } = payment
      const notice = { issuer, txid: charge.txid, endToEndId, amountCents, paidAt }
      expect(yield* record(spell({ ...notice, returns: [] }))).toMatchObject({ payments: 0, returns: 0 })
      const charges = yield* PixCharges
      expect((yield* charges.confirmPayment(spell(notice)))._tag).toBe("Paid")
      const again = {
        ...spell({ ...notice, returns: [] }),
        returns: [{ ...returned, endToEndId: spell(notice).endToEndId }],
      }
      expect(yield* record(again)).toMatchObject({ payments: 0, returns: 1 })
      expect(yield* record(again)).toMatchObject({ payments: 0, returns: 0 })
      expect(yield* charges.find(issuer, charge.id)).toMatchObject({ _tag: "Refunded", returns: [returned] })
      expect(yield* ids).toEqual([endToEndId])
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("is the same payment of no charge, and the same further payment of one", (world) =>
    Effect.gen(function* () {
      const charge = yield* aPaidOne(world)
      const further = aNotice(charge, { paidAt: charge.payment.paidAt + 5_000 })
      const { txid: _txid, ...unmatched } = aNotice(charge, { paidAt: charge.payment.paidAt + 5_000 })
      for (const notice of [further, unmatched]) {
        expect(yield* record({ ...notice, returns: [] })).toMatchObject({ payments: 1 })
        const returned = aReturn({ ...charge.payment, ...notice }, { endToEndId: spell(notice).endToEndId })
        expect(yield* record({ ...spell(notice), returns: [returned] })).toMatchObject({ payments: 0, returns: 1 })
      }
      expect((yield* ids).toSorted()).toEqual(
        [charge.payment.endToEndId, further.endToEndId, unmatched.endToEndId].toSorted(),
      )
      expect((yield* returns).map((one) => one.endToEndId).toSorted()).toEqual(
        [further.endToEndId, unmatched.endToEndId].toSorted(),
      )
      expect(yield* exceptions).toEqual([])
    }),
  )
})
