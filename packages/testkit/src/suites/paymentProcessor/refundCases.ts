import type { Return } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aRefundOrder, aRegisteredCharge } from "../../fixtures/Orders.ts"
import { aRefundId } from "../../fixtures/Payments.ts"
import { endOfRefund, type ProcessorSuiteCase } from "./ProcessorDriver.ts"

/** What `refund` and `lookupRefund` do. */
export const refundCases = (test: ProcessorSuiteCase): void => {
  test("a payment is returned once, however often it is requested under one id", ({ processor, company, pay }) =>
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

  test("a payment that is refunded several times at once is returned once", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      const first = yield* Effect.all([processor.refund(order), processor.refund(order), processor.refund(order)], {
        concurrency: "unbounded",
      })
      expect((yield* endOfRefund(processor, order, first[0]))?._tag).toBe("Returned")
      expect((yield* processor.lookup(charge)).returns).toHaveLength(1)
    }))

  test("a refund of more than was paid, or a second one under another id, is rejected with a reason", ({
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

  test("parts of a payment are returned one after the other, each under its id, up to what is left", ({
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

  test("a repeat under an id with other cents returns the original cents, and no more money", ({
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

  test("a refund that was never requested is unknown", ({ processor, company, pay }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      expect(yield* processor.lookupRefund(order)).toBeUndefined()
    }))
}
