import { PaymentProcessor, type PaymentSearch, type ReceivedPayment } from "@pixcharge/core"
import type { PaymentNotice, Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import {
  aCnpj,
  aCompany,
  aNotice,
  aPendingCharge,
  anotherCnpj,
  anOrder,
  fixtureNow,
  makeScriptedProcessor,
  registeredPending,
  aRefundOrder,
  type ScriptedProcessor,
} from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"

const always: PaymentSearch = { from: 0, until: fixtureNow * 2 }

const callProcessor = <A, E>(
  bank: ScriptedProcessor,
  body: (processor: PaymentProcessor["Service"]) => Effect.Effect<A, E>,
) => Effect.provide(Effect.flatMap(PaymentProcessor, body), bank.layer)

const allPages = (bank: ScriptedProcessor, search: PaymentSearch) =>
  callProcessor(bank, (processor) =>
    Effect.gen(function* () {
      const pages: Array<ReadonlyArray<ReceivedPayment>> = []
      let cursor: string | undefined
      do {
        const page = yield* processor.payments(aCnpj, search, cursor)
        pages.push(page.items)
        cursor = page.cursor
      } while (cursor !== undefined)
      return pages
    }),
  )

const readNotice = (bank: ScriptedProcessor, overrides: Partial<PaymentNotice> = {}) => {
  const charge = aPendingCharge()
  const notice = aNotice(charge, overrides)
  bank.receive(charge, notice)
  return { charge, notice, order: aRefundOrder(notice) }
}

describe("the scripted processor's list of payments", () => {
  it.effect("returns the payments of a company and period in pages of three, oldest first", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      for (const day of [4, 2, 1, 3]) readNotice(bank, { paidAt: fixtureNow + day })
      readNotice(bank, { paidAt: fixtureNow + 5 })
      readNotice(bank, { issuer: anotherCnpj, paidAt: fixtureNow + 2 })
      const pages = yield* allPages(bank, { from: fixtureNow + 1, until: fixtureNow + 5 })
      expect(pages.map((page) => page.map(({ paidAt }) => paidAt - fixtureNow))).toEqual([[1, 2, 3], [4]])
    }),
  )

  it.effect("shows returns of all kinds, and a payment's Pix key if it is known", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      const { charge, notice, order } = readNotice(bank)
      const med: Return = {
        issuer: aCnpj,
        id: "D1",
        endToEndId: notice.endToEndId,
        kind: "dispute",
        amountCents: 90 as Cents,
        returnedAt: fixtureNow,
      }
      bank.returnMoney(charge, med)
      yield* callProcessor(bank, (processor) => processor.refund(order))
      const refund = { ...med, id: order.refundId, kind: "refund", amountCents: notice.amountCents, returnedAt: 0 }
      expect(bank.view(charge).returns).toEqual([med, refund])
      const other = readNotice(bank, { paidAt: notice.paidAt + 1 })
      const keyed = { ...aNotice(other.charge, { paidAt: notice.paidAt + 2 }), pixKey: "loja@example.com" }
      bank.receive(other.charge, keyed)
      expect((yield* allPages(bank, always)).flat()).toEqual([
        { ...notice, returns: [med, refund] },
        { ...other.notice, returns: [] },
        { ...keyed, returns: [] },
      ])
      expect((yield* allPages(bank, { ...always, isReturned: true })).flat()).toEqual([
        { ...notice, returns: [med, refund] },
      ])
    }),
  )

  it.effect("fails a list call as scripted", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      bank.fail("payments", "unreachable")
      expect((yield* Effect.flip(allPages(bank, always)))._tag).toBe("ProcessorUnavailable")
      expect(bank.calls).toEqual(["payments"])
    }),
  )
})

describe("a scripted refund that gets no answer", () => {
  for (const how of ["returned", "rejected"] as const) {
    it.effect(`refuses a repeated request, and finds no refund, until the refund is ${how}`, () =>
      Effect.gen(function* () {
        const bank = makeScriptedProcessor()
        const { charge, order } = readNotice(bank)
        bank.refunds("unanswered")
        const requestRefund = callProcessor(bank, (processor) => processor.refund(order))
        const lookUp = callProcessor(bank, (processor) => processor.lookupRefund(order))
        expect((yield* Effect.flip(requestRefund))._tag).toBe("ProcessorUnavailable")
        expect((yield* requestRefund)._tag).toBe("Rejected")
        expect(yield* lookUp).toBeUndefined()
        expect(bank.view(charge).returns).toEqual([])
        expect(bank.refundedCents(aCnpj, order.endToEndId)).toBe(0)
        bank.endRefund(aCnpj, order.refundId, how)
        const isReturned = how === "returned"
        expect((yield* lookUp)?._tag).toBe(isReturned ? "Returned" : "Rejected")
        expect((yield* requestRefund)._tag).toBe(isReturned ? "Returned" : "Rejected")
        expect(bank.view(charge).returns).toHaveLength(isReturned ? 1 : 0)
        expect(bank.refundedCents(aCnpj, order.endToEndId)).toBe(isReturned ? order.amountCents : 0)
      }),
    )
  }

  it.effect("ends a processing refund once", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      const { charge, order } = readNotice(bank)
      bank.refunds("processing")
      yield* callProcessor(bank, (processor) => processor.refund(order))
      bank.endRefund(aCnpj, order.refundId, "returned")
      bank.endRefund(aCnpj, order.refundId, "returned")
      expect(bank.view(charge).returns).toHaveLength(1)
    }),
  )
})

describe("the scripted processor's terms of a charge", () => {
  it.effect("changes the terms of an open charge, and refuses other terms for a new charge", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      const order = yield* anOrder(aCompany(), { dueInDays: 2 })
      const other = { ...order, amountCents: 7 as Cents, requestedAt: order.requestedAt + 1 }
      const register = (given: typeof order) => callProcessor(bank, (processor) => processor.register(given))
      const first = yield* register(order)
      const charge = registeredPending(order, first)
      expect((yield* Effect.flip(register(other)))._tag).toBe("ChargeConflict")
      expect(bank.view(charge).terms).toEqual({ amountCents: order.amountCents, dueDate: order.dueDate })
      const change = (given: typeof order) => callProcessor(bank, (processor) => processor.change(given))
      expect(yield* change(other)).toEqual({ brCode: first.brCode, revision: 1 })
      expect(bank.view(charge).terms).toEqual({ amountCents: 7, dueDate: order.dueDate, revision: 1 })
      expect(yield* register(other)).toEqual(first)
      bank.changesCodes()
      expect((yield* change(order)).brCode).not.toBe(first.brCode)
      const { dueDate: _, payer: __, ...immediate } = order
      expect((yield* Effect.flip(change(immediate)))._tag).toBe("ProcessorRejected")
      bank.receive(charge, aNotice(charge))
      expect((yield* Effect.flip(change(other)))._tag).toBe("ProcessorRejected")
    }),
  )

  it.effect("fails changes as scripted, and can lack them", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      const order = yield* anOrder(aCompany())
      const other = { ...order, amountCents: 7 as Cents }
      const change = callProcessor(bank, (processor) => Effect.result(processor.change(other)))
      const changes = callProcessor(bank, (processor) => processor.changes(order.company.cnpj))
      yield* callProcessor(bank, (processor) => processor.register(order))
      const { issuer, txid } = { issuer: aCnpj, txid: order.txid }
      bank.fail("change", "rejected", "unreachable", "answerLost")
      expect(yield* change).toMatchObject({ failure: { _tag: "ProcessorRejected", operation: "change" } })
      expect(yield* change).toMatchObject({ failure: { _tag: "ProcessorUnavailable" } })
      expect(bank.view({ issuer, txid }).terms).toEqual({ amountCents: order.amountCents })
      expect(yield* change).toMatchObject({ failure: { _tag: "ProcessorUnavailable" } })
      expect(bank.view({ issuer, txid }).terms).toEqual({ amountCents: 7, revision: 1 })
      expect(yield* changes).toBe("offered")
      bank.lacksChanges()
      expect(yield* changes).toBe("missing")
      expect(yield* change).toMatchObject({ failure: { _tag: "ProcessorRejected" } })
    }),
  )

  it.effect("keeps the last call's terms if overlapping registrations don't see each other", () =>
    Effect.gen(function* () {
      const bank = makeScriptedProcessor()
      const first = yield* anOrder(aCompany())
      const last = { ...first, amountCents: 7 as Cents }
      const both = callProcessor(bank, (processor) =>
        Effect.all(
          [first, last].map((order) => Effect.exit(processor.register(order))),
          { concurrency: "unbounded" },
        ),
      )
      bank.lastRegisterWins()
      expect((yield* both).map(({ _tag }) => _tag)).toEqual(["Success", "Success"])
      expect(bank.view({ issuer: aCnpj, txid: first.txid }).terms).toEqual({ amountCents: 7, revision: 1 })
      expect((yield* both).map(({ _tag }) => _tag)).toEqual(["Failure", "Success"])
    }),
  )
})
