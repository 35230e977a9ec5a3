import { Bookkeeping, ChargeLists, ChargeStore, PixCharges, type Reconciler } from "@pixcharge/core"
import type { ComparedPayment } from "@pixcharge/core/internal"
import type { PaidCharge, Return } from "@pixcharge/core/charges"
import {
  aCnpj,
  aNotice,
  anotherCnpj,
  anUnmatchedPayment,
  aReturn,
  cents,
  cnpj,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { compareBooks } from "../../src/services/reconcile/compareBooks.ts"
import { reconcilerPorts } from "../../src/services/reconcile/ReconcilerPorts.ts"
import { anIssuedCharge, aPaidOne, aReconciler, failureTag, issue, otherCompany, scenario } from "../World.ts"

const hour = 3_600_000
const around = { from: fixtureNow - hour, until: fixtureNow + hour }

const summary = (rows: ReadonlyArray<ComparedPayment>) =>
  rows.map(({ endToEndId, differences }) => [endToEndId, ...differences])

const counts = Effect.flatMap(ChargeLists, (lists) =>
  Effect.gen(function* () {
    const always = { from: 0, until: fixtureNow * 2 }
    const page = { limit: 1_000 }
    const payments = yield* lists.payments(aCnpj, always, page)
    const returns = yield* lists.returns(aCnpj, always, page)
    return [payments.items.length, returns.items.length]
  }),
)

const compare = ({ compare: comparing }: Reconciler["Service"], period = around) => comparing(aCnpj, period)

/** A charge whose payment is only in the books. */
const aBookedCharge = Effect.fnUntraced(function* (paidAt: number) {
  const charge = yield* anIssuedCharge()
  const paid = yield* (yield* PixCharges).confirmPayment(aNotice(charge, { paidAt }))
  return paid._tag === "Paid" ? paid : yield* Effect.die(new Error("expected the payment to settle the charge"))
})

const recordReturn = (charge: PaidCharge, returned: Return) =>
  Effect.flatMap(Bookkeeping, (books) =>
    books.applyView(charge, { status: "completed", payments: [], returns: [returned] }),
  )

const notice = ({ payment }: PaidCharge) => {
  const { chargeId: _, recordedAt: __, late: ___, otherAmount: ____, ...received } = payment
  return received
}

describe("compareBooks", () => {
  scenario("reports matches and every kind of difference, and records nothing", (world) =>
    Effect.gen(function* () {
      const reconciler = yield* aReconciler
      const paid = []
      for (let index = 0; index < 7; index++) paid.push(yield* aBookedCharge(fixtureNow + index))
      const [match, other, strange, unlisted, backHere, backThere, unequal] = paid
      if (!match || !other || !strange || !unlisted || !backHere || !backThere || !unequal)
        throw new Error("expected seven charges")
      for (const charge of [match, backHere, backThere, unequal]) world.bank.receive(charge, notice(charge))
      world.bank.receive(other, { ...notice(other), amountCents: cents(1) })
      world.bank.receive(strange, { ...notice(strange), txid: match.txid })
      const unknown = aNotice(match, { paidAt: fixtureNow + 20 })
      world.bank.receive(match, unknown)
      yield* recordReturn(backHere, aReturn(backHere.payment, { id: "D1", amountCents: cents(5) }))
      world.bank.returnMoney(backThere, aReturn(backThere.payment, { id: "D2", amountCents: cents(6) }))
      yield* recordReturn(unequal, aReturn(unequal.payment, { id: "D3", amountCents: cents(7) }))
      world.bank.returnMoney(unequal, aReturn(unequal.payment, { id: "d3", amountCents: cents(8) }))
      const before = yield* counts
      const { rows, differences, matches, unreadable } = yield* compare(reconciler)
      const id = ({ payment }: PaidCharge) => payment.endToEndId
      expect(summary(rows)).toEqual([
        [id(other), "otherAmount"],
        [id(strange), "otherCharge"],
        [id(unlisted), "missingAtBank"],
        [id(backHere), "returnMissingAtBank"],
        [id(backThere), "returnMissingInBooks"],
        [id(unequal), "returnOtherAmount"],
        [unknown.endToEndId, "missingInBooks"],
        [id(match)],
      ])
      expect([differences, matches, unreadable]).toEqual([7, 1, 0])
      expect(rows[0]?.books?.amountCents).toBe(1_990)
      expect(rows[0]?.bank?.amountCents).toBe(1)
      expect(rows[3]?.books?.returnedCents).toBe(5)
      expect(rows[6]).not.toHaveProperty("books")
      expect(yield* counts).toEqual(before)
    }),
  )

  scenario(
    "matches a payment that books and bank date differently, and ignores payments outside of the period",
    (world) =>
      Effect.gen(function* () {
        const reconciler = yield* aReconciler
        const at = fixtureNow + 1_000
        const [near, far, outside] = [yield* aBookedCharge(at), yield* aBookedCharge(at), yield* aBookedCharge(at)]
        const period = { from: near.payment.paidAt + 1, until: near.payment.paidAt + hour }
        world.bank.receive(near, { ...notice(near), paidAt: period.from })
        world.bank.receive(far, { ...notice(far), paidAt: period.until - 1 })
        world.bank.receive(outside, { ...notice(outside), paidAt: period.until + 1 })
        const { rows } = yield* compare(reconciler, period)
        expect(summary(rows)).toEqual([[near.payment.endToEndId], [far.payment.endToEndId]])
      }),
  )

  scenario("finds a payment that the books date hours earlier, with its returns", (world) =>
    Effect.gen(function* () {
      const reconciler = yield* aReconciler
      const charge = yield* aBookedCharge(fixtureNow)
      const paidAt = charge.payment.paidAt + 10 * hour
      world.bank.receive(charge, { ...notice(charge), paidAt })
      for (const [id, amount] of [
        ["D1", 5],
        ["D2", 6],
      ] as const) {
        const returned = aReturn(charge.payment, { id, amountCents: cents(amount) })
        world.bank.returnMoney(charge, returned)
        yield* recordReturn(charge, returned)
      }
      const { rows } = yield* compare(reconciler, { from: paidAt, until: paidAt + hour })
      expect(summary(rows)).toEqual([[charge.payment.endToEndId]])
      expect([rows[0]?.books?.returnedCents, rows[0]?.bank?.returnedCents]).toEqual([11, 11])
    }),
  )

  scenario("reads all pages of the books, and gives up a bank's list that doesn't end", () =>
    Effect.gen(function* () {
      const reconciler = yield* aReconciler
      yield* issue()
      const store = yield* ChargeStore
      const many = Array.from({ length: 1_001 }, () => anUnmatchedPayment({ paidAt: fixtureNow }))
      for (const payment of many) yield* store.recordUnmatched(payment)
      expect((yield* compare(reconciler)).differences).toBe(1_001)
      const ports = yield* reconcilerPorts
      const payments = (_: unknown, __: unknown, cursor = "0") =>
        Effect.succeed({ items: [], cursor: String(Number(cursor) + 1) })
      const endless = { ...ports, processor: { ...ports.processor, payments } }
      expect(yield* Effect.flip(compareBooks(endless, aCnpj, around))).toMatchObject({
        _tag: "ProcessorUnavailable",
        cause: "a list of more than 5000 pages",
      })
    }),
  )

  scenario("excludes payments to another company's key, and counts unreadable payments", (world) =>
    Effect.gen(function* () {
      const reconciler = yield* aReconciler
      const mine = yield* aPaidOne(world)
      const { txid: _, ...theirs } = aNotice(mine, { paidAt: fixtureNow + 1 })
      world.bank.receive(mine, { ...theirs, pixKey: otherCompany.pixKey })
      world.bank.garble(2)
      const { rows, unreadable } = yield* compare(reconciler)
      expect(rows.map(({ endToEndId }) => endToEndId)).toEqual([mine.payment.endToEndId])
      expect(unreadable).toBeGreaterThan(0)
      expect((yield* reconciler.compare(anotherCnpj, around)).rows).toEqual([])
    }),
  )

  scenario("refuses more payments in the books or the list than the maximum", (world) =>
    Effect.gen(function* () {
      const ports = yield* reconcilerPorts
      const bounded = compareBooks(ports, aCnpj, around, 2)
      const both = [yield* aBookedCharge(fixtureNow), yield* aBookedCharge(fixtureNow)]
      for (const charge of both) world.bank.receive(charge, notice(charge))
      expect((yield* bounded).matches).toBe(2)
      const third = yield* aBookedCharge(fixtureNow)
      expect(yield* Effect.flip(bounded)).toMatchObject({ _tag: "PeriodTooLarge", max: "2 payments" })
      // The books have no payment of this period, but the bank has more than the maximum.
      const early = { from: fixtureNow - 30 * hour, until: fixtureNow - 20 * hour }
      for (const charge of [...both, third]) {
        world.bank.receive(charge, aNotice(charge, { paidAt: fixtureNow - 25 * hour }))
      }
      expect(yield* Effect.flip(compareBooks(ports, aCnpj, early, 2))).toMatchObject({
        _tag: "PeriodTooLarge",
        max: "2 payments",
      })
    }),
  )

  scenario("fails for more than 25 hours, an unknown company and a silent bank", (world) =>
    Effect.gen(function* () {
      const reconciler = yield* aReconciler
      yield* issue()
      const long = { from: fixtureNow, until: fixtureNow + 25 * hour + 1 }
      expect(yield* failureTag(compare(reconciler, long))).toBe("PeriodTooLarge")
      const nothing = { from: fixtureNow, until: Number.NaN }
      expect(yield* failureTag(compare(reconciler, nothing))).toBe("PeriodTooLarge")
      expect((yield* compare(reconciler, { from: fixtureNow, until: long.until - 1 })).rows).toEqual([])
      expect(yield* failureTag(reconciler.compare(cnpj("00000000000191"), around))).toBe("CompanyNotFound")
      world.bank.fail("payments", "unreachable")
      expect(yield* failureTag(compare(reconciler))).toBe("ProcessorUnavailable")
      world.bank.fail("payments", "defect")
      expect(yield* failureTag(compare(reconciler))).toBe("ProcessorUnavailable")
    }),
  )
})
