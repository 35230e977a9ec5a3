import { Bookkeeping, ChargeLists, ChargeStore, PixCharges, type ReceivedPayment } from "@pixcharge/core"
import type { PaymentNotice, Return, Txid } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import {
  aCnpj,
  aCompany,
  aNotice,
  anotherCnpj,
  anUnmatchedPayment,
  aPendingCharge,
  aReturn,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
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

const tagOf = ({ issuer, id }: Parameters<typeof aNotice>[0]) =>
  Effect.flatMap(PixCharges, (charges) => Effect.map(charges.find(issuer, id), ({ _tag }) => _tag))

/** The bank lists a payment for each of these companies. */
const list = (
  world: World,
  companies: ReadonlyArray<Cnpj>,
  notice: Omit<ReceivedPayment, "returns">,
  returns: ReadonlyArray<Return> = [],
) => {
  for (const issuer of companies) {
    const entry = { issuer, txid: notice.endToEndId as Txid }
    world.bank.receive(entry, { ...notice, issuer })
    for (const returned of returns) world.bank.returnMoney(entry, { ...returned, issuer })
  }
}

const both = [aCnpj, anotherCnpj] as const

/** The comparisons of both companies: matches, differences, payments of another company. */
const compared = Effect.fnUntraced(function* ({ paidAt }: PaymentNotice) {
  const reconciler = yield* aReconciler
  const around = { from: paidAt - 3_600_000, until: paidAt + 3_600_000 }
  return yield* Effect.forEach(both, (issuer) =>
    Effect.map(reconciler.compare(issuer, around), ({ matches, differences, others }) => [
      matches,
      differences,
      others.length,
    ]),
  )
})

const returnsOf = (issuer: Cnpj) =>
  Effect.flatMap(ChargeLists, (lists) =>
    Effect.map(lists.returns(issuer, always, { limit: 100 }), ({ items }) => items),
  )

describe("a payment listed under the txid of another company's charge", () => {
  for (const [how, pixKey] of [
    ["no key", undefined],
    ["the listed company's key", aCompany({ cnpj: aCnpj }).pixKey],
    ["the other company's key", otherCompany.pixKey],
  ] as const) {
    scenario(`is recorded for the charge's company from its own list, with ${how} shown`, (world) =>
      Effect.gen(function* () {
        const request = aRequest()
        const [theirs, ours] = [yield* issue(request, anotherCnpj), yield* issue(request)]
        expect(theirs.txid).not.toBe(ours.txid)
        const notice = { ...aNotice(theirs), ...(pixKey !== undefined && { pixKey }) }
        list(world, both, notice)
        expect(yield* reconcile()).toMatchObject({ listed: 1, payments: 0 })
        expect([yield* paymentsOf(aCnpj), yield* tagOf(theirs), yield* tagOf(ours)]).toEqual([[], "Pending", "Pending"])
        expect(yield* reconcile(anotherCnpj)).toMatchObject({ listed: 1, payments: 1 })
        expect([yield* tagOf(theirs), yield* tagOf(ours)]).toEqual(["Paid", "Pending"])
        expect(yield* compared(notice)).toEqual([
          [0, 0, 1],
          [1, 0, 0],
        ])
      }),
    )
  }

  scenario("is recorded only for the charge's company, even before the charge is issued", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      const notice = aNotice(aPendingCharge({ issuer: anotherCnpj, id: request.id }))
      list(world, both, notice)
      yield* reconcile()
      expect(yield* failureTag((yield* PixCharges).confirmPayment({ ...notice, issuer: aCnpj }))).toBe(
        "PaymentOfAnotherCompany",
      )
      const received = { ...notice, issuer: aCnpj, returns: [] }
      expect(yield* failureTag((yield* Bookkeeping).recordReceivedPayment(received))).toBe("PaymentOfAnotherCompany")
      expect(yield* paymentsOf(aCnpj)).toEqual([])
      const charge = yield* issue(request, anotherCnpj)
      yield* reconcile(anotherCnpj)
      expect(yield* tagOf(charge)).toBe("Paid")
    }),
  )
})

describe("a recorded payment of no charge", () => {
  for (const [what, later] of [
    ["later shows another company's key", { pixKey: otherCompany.pixKey }],
    ["is later marked as another system's payment", { isForeign: true as const }],
    ["later has its id in capitals", {}],
  ] as const) {
    scenario(`stays with its returns in its company's books, and makes no difference, if it ${what}`, (world) =>
      Effect.gen(function* () {
        yield* issue(aRequest(), anotherCnpj)
        const { txid: _, ...notice } = aNotice(yield* issue())
        yield* Effect.flip((yield* PixCharges).confirmPayment(notice))
        const back = aReturn(anUnmatchedPayment(notice))
        const { endToEndId } = notice
        const written = "pixKey" in later || "isForeign" in later ? endToEndId : endToEndId.toUpperCase()
        list(world, both, { ...notice, ...later, endToEndId: written }, [{ ...back, endToEndId: written }])
        yield* reconcile(anotherCnpj)
        expect(yield* returnsOf(aCnpj)).toEqual([back])
        yield* reconcile()
        expect([yield* paymentsOf(aCnpj), yield* paymentsOf(anotherCnpj)]).toEqual([[endToEndId], []])
        expect(yield* compared(notice)).toEqual([
          [1, 0, 0],
          [0, 0, 0],
        ])
      }),
    )
  }
})

describe("a payment that is in another company's books", () => {
  const refused = Effect.map(Metric.snapshot, (metrics) => {
    const counter = metrics.find(({ id }) => id === "pix_payments_refused")
    return counter?.type === "Counter" ? Number(counter.state.count) : 0
  })

  scenario("is reported and counted, and doesn't fail the reconciliation", (world) =>
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
      // The payment without a charge is known to be the other company's.
      expect((yield* refused) - before).toBe(1)
      expect(world.logged.filter((line) => line.includes("is in another company's books"))).toHaveLength(1)
      expect(yield* tagOf(charge)).toBe("Pending")
      expect(yield* paymentsOf(aCnpj)).toEqual([])
      const confirmed = yield* failureTag((yield* PixCharges).confirmPayment({ ...unnamed, endToEndId }))
      expect(confirmed).toBe("PaymentOfAnotherCompany")
    }),
  )

  scenario("isn't recorded, nor is its return, if a look-up shows both", (world) =>
    Effect.gen(function* () {
      const request = aRequest()
      const [theirs, ours] = [yield* issue(request, anotherCnpj), yield* issue(request)]
      const notice = aNotice(theirs)
      const returned = aReturn({ ...anUnmatchedPayment(notice), endToEndId: notice.endToEndId })
      const books = yield* Bookkeeping
      yield* books.applyView(theirs, { status: "completed", payments: [notice], returns: [returned] })
      const shown = { payments: [{ ...notice, issuer: aCnpj }], returns: [{ ...returned, issuer: aCnpj }] }
      yield* books.applyView(ours, { status: "completed", ...shown })
      expect([yield* returnsOf(aCnpj), yield* returnsOf(anotherCnpj)]).toEqual([[], [returned]])
      expect([yield* tagOf(ours), world.logged]).toEqual(["Pending", []])
    }),
  )

  scenario("is a difference for each company whose books disagree with its bank", (world) =>
    Effect.gen(function* () {
      const charge = yield* issue()
      // The payment is stored under the other company, and this company's bank lists it.
      yield* (yield* ChargeStore).recordUnmatched({ ...anUnmatchedPayment(aNotice(charge)), issuer: anotherCnpj })
      const notice = aNotice(charge, { endToEndId: (yield* paymentsOf(anotherCnpj))[0] ?? "" })
      world.bank.receive(charge, notice)
      world.bank.receive({ issuer: anotherCnpj, txid: charge.txid }, { ...notice, pixKey: otherCompany.pixKey })
      const around = { from: notice.paidAt - 3_600_000, until: notice.paidAt + 3_600_000 }
      const reconciler = yield* aReconciler
      const differencesOf = (issuer: Cnpj) =>
        Effect.map(reconciler.compare(issuer, around), ({ rows }) => rows.flatMap(({ differences }) => differences))
      expect([yield* differencesOf(aCnpj), yield* differencesOf(anotherCnpj)]).toEqual([
        ["missingInBooks"],
        ["missingAtBank"],
      ])
    }),
  )
})
