import { Bookkeeping, ChargeLists, PixCharges, type ReceivedPayment } from "@pixcharge/core"
import type { Charge, PaymentNotice, Return } from "@pixcharge/core/charges"
import { aCnpj, aNotice, aPendingCharge, aReturn, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { addEndpoint, anIssuedCharge, aPaidOne, aRequest, deliveries, exceptions, issue, scenario } from "../World.ts"

const always = { from: 0, until: fixtureNow * 2 }

const record = (received: ReceivedPayment) =>
  Effect.flatMap(Bookkeeping, (books) => books.recordReceivedPayment(received))

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

describe.each(Object.entries(spellings))("a payment whose id the processor spells in %s letters", (_case, spell) => {
  scenario("is recognized as the settling payment, and its returns are recognized too", (world) =>
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

  scenario("is recognized as the settling payment if the caller passes the charge", () =>
    Effect.gen(function* () {
      const issued = yield* anIssuedCharge()
      const notice = aNotice(issued)
      yield* record({ ...notice, returns: [] })
      const { recordReceivedPayment } = yield* Bookkeeping
      const again = yield* recordReceivedPayment({ ...spell(notice), returns: [] }, issued)
      expect(again).toMatchObject({ payments: 0, returns: 0 })
      expect(yield* ids).toEqual([notice.endToEndId])
      expect(yield* exceptions).toEqual([])
    }),
  )

  scenario("is recognized if it is recorded as an unmatched or further payment", (world) =>
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

  const ways: Readonly<
    Record<string, (charge: Charge, shown: PaymentNotice) => Effect.Effect<unknown, unknown, PixCharges | Bookkeeping>>
  > = {
    "a look-up": (charge, shown) =>
      Effect.flatMap(Bookkeeping, (books) =>
        books.applyView(charge, { status: "completed", payments: [shown], returns: [] }),
      ),
    "a list": (_charge, shown) => record({ ...shown, returns: [] }),
    "a confirmation": (_charge, shown) => Effect.flatMap(PixCharges, (charges) => charges.confirmPayment(shown)),
  }

  for (const [way, tell] of Object.entries(ways)) {
    scenario(`is recognized from ${way} if it was recorded before its charge`, (world) =>
      Effect.gen(function* () {
        addEndpoint(world, "loja", "paid", "refunded")
        for (const isReturned of [false, true]) {
          const unknown = aPendingCharge()
          const { id, amountCents } = unknown
          const notice = aNotice(unknown, { paidAt: fixtureNow - 60_000 })
          const { endToEndId, paidAt } = notice
          const returned: Return = {
            issuer: aCnpj,
            id: "D1",
            endToEndId,
            kind: "outside",
            amountCents,
            returnedAt: paidAt + 1,
          }
          yield* record({ ...notice, returns: isReturned ? [returned] : [] })
          const issued = yield* issue(aRequest({ id, amountCents }))
          yield* tell(issued, spell(notice))
          const charges = yield* PixCharges
          expect(yield* charges.find(aCnpj, id)).toMatchObject({
            _tag: isReturned ? "Refunded" : "Paid",
            payment: { endToEndId },
          })
        }
        expect(yield* ids).toHaveLength(2)
        expect(yield* exceptions).toEqual([])
        expect((yield* deliveries).toSorted()).toEqual(["loja paid waiting", "loja refunded waiting"])
      }),
    )

    scenario(`is recognized from ${way} if it is recorded as a further payment`, (world) =>
      Effect.gen(function* () {
        const charge = yield* aPaidOne(world)
        const further = aNotice(charge, { paidAt: charge.payment.paidAt + 5_000 })
        yield* record({ ...further, returns: [] })
        yield* tell(charge, spell(further))
        expect((yield* ids).toSorted()).toEqual([charge.payment.endToEndId, further.endToEndId].toSorted())
        expect(yield* exceptions).toHaveLength(1)
      }),
    )
  }
})
