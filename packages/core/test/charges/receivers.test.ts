import { ChargeLists, ChargeStore, PixCharges } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { aCnpj, aNotice, anotherCnpj, anUnmatchedPayment, aReturn, fixtureNow } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { describe, expect } from "vitest"
import { aRequest, aReconciler, failureTag, issue, otherCompany, scenario, type World } from "../World.ts"

const always = { from: 0, until: fixtureNow * 2 }

const reconcile = (issuer = aCnpj) => Effect.flatMap(aReconciler, (one) => one.reconcile(issuer, always))

const paymentsOf = (issuer: Cnpj) =>
  Effect.flatMap(ChargeLists, (lists) =>
    Effect.map(lists.payments(issuer, always, { limit: 100 }), ({ items }) =>
      items.map(({ endToEndId }) => endToEndId),
    ),
  )

/** A charge of the other company, and a payment that the bank lists for the first one under its txid, without a key. */
const listedElsewhere = Effect.fnUntraced(function* (world: World) {
  const charge = yield* issue(aRequest(), anotherCnpj)
  const notice = { ...aNotice(charge), issuer: aCnpj }
  world.bank.receive({ issuer: aCnpj, txid: charge.txid }, notice)
  return { charge, notice }
})

const tagOf = ({ issuer, id }: Parameters<typeof aNotice>[0]) =>
  Effect.flatMap(PixCharges, (charges) => Effect.map(charges.find(issuer, id), ({ _tag }) => _tag))

describe("a payment that a bank lists for a company, under the txid of another one's charge", () => {
  scenario("is that one's where its own bank shows it, too: they share an account", (world) =>
    Effect.gen(function* () {
      const { charge, notice } = yield* listedElsewhere(world)
      world.bank.receive(charge, { ...notice, issuer: anotherCnpj })
      expect(yield* reconcile()).toMatchObject({ listed: 1, payments: 1 })
      expect(yield* tagOf(charge)).toBe("Paid")
      expect(yield* paymentsOf(aCnpj)).toEqual([])
      expect(yield* reconcile()).toMatchObject({ listed: 1, payments: 0 })
    }),
  )

  scenario(
    "is the listed company's where that one's bank doesn't show it: another account may have the same id",
    (world) =>
      Effect.gen(function* () {
        const { charge, notice } = yield* listedElsewhere(world)
        yield* reconcile()
        expect(yield* tagOf(charge)).toBe("Pending")
        expect(yield* paymentsOf(aCnpj)).toEqual([notice.endToEndId])
      }),
  )

  scenario("is whose key it shows where both have issued the id", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      const [theirs, ours] = [yield* issue(request, anotherCnpj), yield* issue(request)]
      const notice = { ...aNotice(theirs), issuer: aCnpj }
      world.bank.receive(ours, { ...notice, pixKey: otherCompany.pixKey })
      expect(yield* reconcile()).toMatchObject({ listed: 1, payments: 1 })
      expect([yield* tagOf(theirs), yield* tagOf(ours)]).toEqual(["Paid", "Pending"])
    }),
  )

  scenario("is nobody's while that one's bank doesn't say, and keeps no other from being recorded", (world) =>
    Effect.gen(function* () {
      const { charge, notice } = yield* listedElsewhere(world)
      world.bank.receive(charge, { ...notice, issuer: anotherCnpj })
      const { txid: _, ...unnamed } = aNotice(charge, { paidAt: notice.paidAt + 1 })
      world.bank.receive({ issuer: aCnpj, txid: charge.txid }, { ...unnamed, issuer: aCnpj })
      world.bank.fail("lookup", "unreachable", "unreachable")
      expect(yield* failureTag(reconcile())).toBe("StoreUnavailable")
      expect([yield* paymentsOf(aCnpj), yield* paymentsOf(anotherCnpj)]).toEqual([[unnamed.endToEndId], []])
      world.bank.behave()
      yield* reconcile()
      expect(yield* paymentsOf(anotherCnpj)).toEqual([notice.endToEndId])
    }),
  )
})

describe("a payment that another company's books have", () => {
  const refused = Effect.map(Metric.snapshot, (metrics) => {
    const counter = metrics.find(({ id }) => id === "pix_payments_refused")
    return counter?.type === "Counter" ? Number(counter.state.count) : 0
  })

  scenario("is told and counted, and fails no reconciliation", (world) =>
    Effect.gen(function* () {
      const { txid: _, ...theirs } = anUnmatchedPayment({ issuer: anotherCnpj })
      yield* (yield* ChargeStore).recordUnmatched(theirs)
      const charge = yield* issue()
      const { endToEndId } = theirs
      world.bank.receive(charge, aNotice(charge, { endToEndId }))
      const { txid: __, ...unnamed } = aNotice(charge)
      world.bank.receive(charge, { ...unnamed, endToEndId, paidAt: unnamed.paidAt + 1 })
      const before = yield* refused
      expect(yield* reconcile()).toEqual({ listed: 1, payments: 0, returns: 0 })
      expect((yield* refused) - before).toBe(2)
      expect(world.logged.filter((line) => line.includes("is in another company's books"))).toHaveLength(2)
      expect(yield* tagOf(charge)).toBe("Pending")
      expect(yield* paymentsOf(aCnpj)).toEqual([])
      const confirmed = yield* failureTag((yield* PixCharges).confirmPayment({ ...unnamed, endToEndId }))
      expect(confirmed).toBe("PaymentOfAnotherCompany")
    }),
  )

  scenario("leaves nothing of what went back of it in these books, where a look-up shows both", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      const [theirs, ours] = [yield* issue(request, anotherCnpj), yield* issue(request)]
      const notice = aNotice(theirs)
      const returned = aReturn({ ...anUnmatchedPayment(notice), endToEndId: notice.endToEndId })
      const charges = yield* PixCharges
      yield* charges.applyView(theirs, { status: "completed", payments: [notice], returns: [returned] })
      const shown = { payments: [{ ...notice, issuer: aCnpj }], returns: [{ ...returned, issuer: aCnpj }] }
      yield* charges.applyView(ours, { status: "completed", ...shown })
      const lists = yield* ChargeLists
      const returnsOf = (issuer: Cnpj) =>
        Effect.map(lists.returns(issuer, always, { limit: 100 }), ({ items }) => items)
      expect([yield* returnsOf(aCnpj), yield* returnsOf(anotherCnpj)]).toEqual([[], [returned]])
      expect([yield* tagOf(ours), world.logged]).toEqual(["Pending", []])
    }),
  )

  scenario("differs in the comparison of each that has it and shouldn't, or lacks it and should", (world) =>
    Effect.gen(function* () {
      const charge = yield* issue()
      // Written under the other company, whose bank lists it: as a host's own tables may have it.
      yield* (yield* ChargeStore).recordUnmatched({ ...anUnmatchedPayment(aNotice(charge)), issuer: anotherCnpj })
      const notice = aNotice(charge, { endToEndId: (yield* paymentsOf(anotherCnpj))[0] ?? "" })
      world.bank.receive(charge, notice)
      world.bank.receive({ issuer: anotherCnpj, txid: charge.txid }, { ...notice, pixKey: otherCompany.pixKey })
      const around = { from: notice.paidAt - 3_600_000, until: notice.paidAt + 3_600_000 }
      const reconciler = yield* aReconciler
      const told = (issuer: Cnpj) =>
        Effect.map(reconciler.compare(issuer, around), ({ rows }) => rows.flatMap(({ differences }) => differences))
      expect([yield* told(aCnpj), yield* told(anotherCnpj)]).toEqual([["missingInBooks"], ["missingAtBank"]])
    }),
  )
})
