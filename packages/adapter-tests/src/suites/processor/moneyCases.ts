import type { PaymentProcessor, PaymentSearch, Period, ReceivedPayment } from "@pixcharge/core"
import type { PaymentNotice, Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import type { Company } from "@pixcharge/core/party"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aRefundOrder, aRegisteredCharge } from "../../fixtures/Orders.ts"
import { aRefundId } from "../../fixtures/Payments.ts"
import { endOfRefund, type ProcessorSuiteCase } from "./ProcessorDriver.ts"

type Processor = PaymentProcessor["Service"]

/** All payments that a search finds, page by page. A Pix key that the processor shows must be the company's. */
const allPayments = Effect.fnUntraced(function* (processor: Processor, company: Company, search: PaymentSearch) {
  const items: Array<Omit<ReceivedPayment, "pixKey">> = []
  let pages = 0
  let cursor: string | undefined
  do {
    const page = yield* processor.payments(company.cnpj, search, cursor)
    for (const { pixKey = company.pixKey, ...payment } of page.items) {
      expect(pixKey).toBe(company.pixKey)
      items.push(payment)
    }
    cursor = page.cursor
    pages += 1
  } while (cursor !== undefined && pages < 1000)
  return { items, pages }
})

const byId = <A extends PaymentNotice>(notices: ReadonlyArray<A>): ReadonlyArray<A> =>
  notices.toSorted((a, b) => (a.endToEndId < b.endToEndId ? -1 : 1))

export const paymentsCases = (test: ProcessorSuiteCase): void => {
  test("lists the payments of a period page by page, oldest first, each once, of one company only", (kit) =>
    Effect.gen(function* () {
      const { processor, company, otherCompany, pay, paymentsPerPage } = kit
      const made: Array<PaymentNotice> = []
      for (let n = 0; n < 2 * paymentsPerPage + 1; n++)
        made.push(yield* pay(yield* aRegisteredCharge(processor, company)))
      yield* pay(yield* aRegisteredCharge(processor, otherCompany))
      const from = Math.min(...made.map(({ paidAt }) => paidAt)) - 1000
      const period = { from, until: (yield* Clock.currentTimeMillis) + 1000 }
      const { items, pages } = yield* allPayments(processor, company, period)
      expect(byId(items)).toEqual(byId(made.map((notice) => ({ ...notice, returns: [] }))))
      expect(items.map(({ paidAt }) => paidAt)).toEqual(items.map(({ paidAt }) => paidAt).toSorted((a, b) => a - b))
      expect(pages).toBe(3)
    }))

  test("includes a period's first instant and excludes its end", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const { paidAt, endToEndId } = yield* pay(yield* aRegisteredCharge(processor, company))
      const idsWithin = (from: number, until: number) =>
        Effect.map(allPayments(processor, company, { from, until }), ({ items }) =>
          items.map((item) => item.endToEndId),
        )
      expect(yield* idsWithin(paidAt, paidAt + 1)).toEqual([endToEndId])
      expect(yield* idsWithin(paidAt - 5000, paidAt)).toEqual([])
      expect(yield* idsWithin(paidAt + 1, paidAt + 5000)).toEqual([])
    }))

  test("lists a payment with its returns, which have the ids and kinds that its charge shows", (kit) =>
    Effect.gen(function* () {
      const { processor, company, pay } = kit
      const unreturned = yield* pay(yield* aRegisteredCharge(processor, company))
      const charge = yield* aRegisteredCharge(processor, company)
      const notice = yield* pay(charge)
      const order = aRefundOrder(notice)
      yield* endOfRefund(processor, order, yield* processor.refund(order))
      const { returns } = yield* processor.lookup(charge)
      expect(returns).toMatchObject([{ id: order.refundId, kind: "refund", amountCents: notice.amountCents }])
      const period: Period = { from: notice.paidAt - 60_000, until: notice.paidAt + 60_000 }
      const { items } = yield* allPayments(processor, company, period)
      const all = [
        { ...unreturned, returns: [] },
        { ...notice, returns },
      ]
      expect(byId(items)).toEqual(byId(all))
      const returned = yield* allPayments(processor, company, { ...period, isReturned: true })
      // A processor that can't filter returned payments lists all payments.
      expect(all).toEqual(expect.arrayContaining(returned.items))
      expect(returned.items).toContainEqual({ ...notice, returns })
    }))

  test("lists a period without payments as one empty page", ({ processor, company }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const page = yield* processor.payments(company.cnpj, { from: now - 86_400_000, until: now })
      expect(page).toEqual({ items: [] })
    }))
}

export const refundCases = (test: ProcessorSuiteCase): void => {
  test("refunds a payment once for repeated requests with the same id", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      const outcome = yield* endOfRefund(processor, order, yield* processor.refund(order))
      expect(outcome?._tag).toBe("Returned")
      expect(yield* processor.refund(order)).toEqual(outcome)
      expect(yield* processor.lookupRefund(order)).toEqual(outcome)
      const { endToEndId, amountCents, refundId } = order
      const returnedAt = outcome?._tag === "Returned" ? outcome.returnedAt : undefined
      expect((yield* processor.lookup(charge)).returns).toEqual([
        { issuer: company.cnpj, id: refundId, endToEndId, kind: "refund", amountCents, returnedAt },
      ])
    }))

  test("refunds a payment once on several concurrent requests", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      const first = yield* Effect.all([processor.refund(order), processor.refund(order), processor.refund(order)], {
        concurrency: "unbounded",
      })
      expect((yield* endOfRefund(processor, order, first[0]))?._tag).toBe("Returned")
      expect((yield* processor.lookup(charge)).returns).toHaveLength(1)
    }))

  test("rejects a refund of more than was paid, and a second refund under a new id, with a reason", ({
    processor,
    company,
    pay,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      const tooMuch = yield* processor.refund({ ...order, amountCents: (order.amountCents + 1) as Cents })
      expect(tooMuch).toEqual({ _tag: "Rejected", reason: expect.stringMatching(/./) })
      const second = { ...order, refundId: aRefundId(order, 2) }
      yield* endOfRefund(processor, second, yield* processor.refund(second))
      const third = { ...order, refundId: aRefundId(order, 3) }
      expect((yield* endOfRefund(processor, third, yield* processor.refund(third)))?._tag).toBe("Rejected")
      expect((yield* processor.lookup(charge)).returns).toHaveLength(1)
    }))

  test("refunds parts of a payment one after the other, each under a new id, up to the whole payment", ({
    processor,
    company,
    pay,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const whole = aRefundOrder(yield* pay(charge))
      const rest = (whole.amountCents - 500) as Cents
      const refund = (refundId: string, amountCents: Cents) => {
        const order = { ...whole, refundId, amountCents }
        return Effect.flatMap(processor.refund(order), (outcome) => endOfRefund(processor, order, outcome))
      }
      expect((yield* refund(whole.refundId, 500 as Cents))?._tag).toBe("Returned")
      expect((yield* refund(aRefundId(whole, 9), (rest + 1) as Cents))?._tag).toBe("Rejected")
      expect((yield* refund(aRefundId(whole, 1295), rest))?._tag).toBe("Returned")
      const rows = ({ returns }: { readonly returns: ReadonlyArray<Return> }) =>
        returns.map(({ id, kind, amountCents }) => [id, kind, amountCents]).toSorted()
      const expected = [
        [whole.refundId, "refund", 500],
        [aRefundId(whole, 1295), "refund", rest],
      ]
      expect(rows(yield* processor.lookup(charge))).toEqual(expected)
      const { items } = yield* processor.payments(company.cnpj, { from: 0, until: 8e12, isReturned: true })
      expect(items.filter(({ endToEndId }) => endToEndId === whole.endToEndId).map(rows)).toEqual([expected])
    }))

  test("answers a repeated refund id with the original cents, even if the request has other cents", ({
    processor,
    company,
    pay,
  }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const whole = aRefundOrder(yield* pay(charge))
      const first = { ...whole, amountCents: 500 as Cents }
      expect((yield* endOfRefund(processor, first, yield* processor.refund(first)))?._tag).toBe("Returned")
      const other = { ...whole, amountCents: 501 as Cents }
      const returned = { _tag: "Returned", amountCents: 500 }
      expect(yield* processor.refund(other)).toMatchObject(returned)
      expect(yield* processor.lookupRefund(other)).toMatchObject(returned)
      expect((yield* processor.lookup(charge)).returns).toMatchObject([{ amountCents: 500 }])
    }))

  test("doesn't find a refund that was never requested", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      expect(yield* processor.lookupRefund(order)).toBeUndefined()
    }))
}
