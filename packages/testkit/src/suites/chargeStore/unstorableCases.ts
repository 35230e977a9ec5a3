import { type Change, ChargeLists, ChargeStore, Outbox } from "@pixcharge/core"
import { type Charge, chargeEvent, type PendingCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aFailedRefund, aPaidCharge, aPendingCharge, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, cpf } from "../../fixtures/Companies.ts"
import { aPayment, aReturn, anUnmatchedPayment } from "../../fixtures/Payments.ts"
import { commit, find, insertCharge, insertPaid, openExceptions, requestRefund } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { isRefused, unstorableAmounts, unstorableMoments, unstorableTexts } from "../unstorable.ts"

const always = { from: 0, until: fixtureNow * 2 }

/** Every row that the store holds of the company, besides its charges. */
const rows = Effect.gen(function* () {
  const lists = yield* ChargeLists
  const page = { limit: 1000 }
  return [
    (yield* lists.payments(aCnpj, always, page)).items,
    (yield* lists.returns(aCnpj, always, page)).items,
    (yield* (yield* Outbox).list(aCnpj, {}, page)).items,
  ]
})

/** Expects a refused change that leaves everything unchanged. */
const changesNothing = Effect.fnUntraced(function* (charge: Charge, change: Partial<Change>) {
  const before = yield* rows
  yield* isRefused(commit(aChange(charge, change)))
  expect(yield* find(charge)).toEqual(charge)
  expect(yield* rows).toEqual(before)
})

/** New charges with one unstorable part. */
const unstorableCharges: ReadonlyArray<Partial<PendingCharge>> = [
  ...unstorableTexts.flatMap((text) => [{ brCode: text }, { payer: { name: text, taxId: cpf("52998224725") } }]),
  ...unstorableAmounts.map((amount) => ({ amountCents: cents(amount) })),
  ...unstorableMoments.flatMap((moment) => [{ payableUntil: moment, watchUntil: fixtureNow }, { checkAt: moment }]),
  { version: 2 ** 31 },
]

export const unstorableCases = ({ test }: StoreTests): void => {
  test("a new charge with an unstorable part is refused, and the others with it are stored", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const bad = unstorableCharges.map((overrides) => aPendingCharge(overrides))
      const good = bad.map(() => aPendingCharge())
      yield* Effect.all([...bad.map((charge) => isRefused(store.insert(charge))), ...good.map(store.insert)], {
        concurrency: "unbounded",
      })
      for (const charge of bad) expect(yield* find(charge)).toBeUndefined()
      for (const charge of good) expect(yield* find(charge)).toEqual(charge)
    }))

  test("a move with an unstorable text is refused completely", () =>
    Effect.gen(function* () {
      for (const text of unstorableTexts) {
        const paid = yield* insertPaid()
        const refunding = yield* requestRefund(paid)
        yield* changesNothing(refunding, {
          next: aFailedRefund(refunding, text),
          payments: [aPayment(paid)],
          returns: [aReturn(paid.payment, { amountCents: cents(1) })],
        })
        const pending = yield* insertCharge()
        const payment = aPayment(pending, { endToEndId: text })
        yield* changesNothing(pending, { next: aPaidCharge(pending, payment), payments: [payment] })
        yield* changesNothing(pending, { payments: [aPayment(pending, { txid: text })] })
        yield* changesNothing(pending, { returns: [aReturn(aPayment(pending), { id: text })] })
        const next = aPaidCharge(pending)
        const deliveries = [
          { event: chargeEvent(next, "Padaria Aurora Ltda"), endpointId: text },
          { event: chargeEvent(next, text), endpointId: "loja" },
        ]
        for (const delivery of deliveries) {
          yield* changesNothing(pending, { next, payments: [next.payment], deliveries: [delivery] })
        }
      }
    }))

  test("a move with an unstorable number is refused completely", () =>
    Effect.gen(function* () {
      const pending = yield* insertCharge()
      for (const amount of unstorableAmounts) {
        yield* changesNothing(pending, { payments: [aPayment(pending, { amountCents: cents(amount) })] })
        yield* changesNothing(pending, { returns: [aReturn(aPayment(pending), { amountCents: cents(amount) })] })
      }
      for (const moment of unstorableMoments) {
        yield* changesNothing(pending, { payments: [aPayment(pending, { paidAt: moment })] })
        yield* changesNothing(pending, { returns: [aReturn(aPayment(pending), { returnedAt: moment })] })
        const next = aPaidCharge(pending)
        yield* changesNothing(pending, { next: { ...next, checkAt: moment }, payments: [next.payment] })
        const refunded = { ...next, _tag: "Refunded" as const, refundedAt: moment }
        yield* changesNothing(pending, { next: refunded, payments: [next.payment] })
      }
      const next = { ...aPaidCharge(pending), version: 2 ** 31 }
      yield* changesNothing(pending, { next, payments: [next.payment] })
    }))

  test("an unmatched payment with an unstorable part is refused", () =>
    Effect.gen(function* () {
      const store = yield* ChargeStore
      const bad = [
        ...unstorableTexts.flatMap((text) => [{ endToEndId: text }, { txid: text }]),
        ...unstorableAmounts.map((amount) => ({ amountCents: cents(amount) })),
        ...unstorableMoments.map((moment) => ({ paidAt: moment })),
      ]
      for (const overrides of bad) yield* isRefused(store.recordUnmatched(anUnmatchedPayment(overrides)))
      expect(yield* openExceptions(aCnpj)).toEqual([])
    }))
}
