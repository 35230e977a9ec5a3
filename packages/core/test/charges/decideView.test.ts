import { type Charge, type Payment, type Return, returnedCents } from "@pixcharge/core/charges"
import { aPayment, aReturn, arbitrary, cents, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decideView, type ShownMoney } from "../../src/model/charge/decideView.ts"

const now = fixtureNow + 300_000
const runs = process.env["LONG"] ? 20_000 : 500

/** Returns of parts of a payment, which together are at most the payment. */
const returnsOf = (payment: Payment): fc.Arbitrary<ReadonlyArray<Return>> =>
  fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }).chain((weights) =>
    fc.boolean().map((isWhole) => {
      const rest = isWhole ? 0 : 1
      const total = weights.reduce((sum, weight) => sum + weight, rest)
      let remaining = payment.amountCents
      return weights.flatMap((weight, index) => {
        const isLast = isWhole && index === weights.length - 1
        const amount = isLast ? remaining : Math.min(remaining, Math.floor((payment.amountCents * weight) / total))
        remaining = cents(remaining - amount)
        return amount === 0 ? [] : [aReturn(payment, { id: `D${index}`, amountCents: cents(amount) })]
      })
    }),
  )

const viewOf = (charge: Charge): fc.Arbitrary<ShownMoney> => {
  const own = "payment" in charge ? [charge.payment] : []
  return fc
    .subarray([...own, aPayment(charge), aPayment(charge)])
    .chain((payments) => fc.tuple(fc.constant(payments), ...payments.map(returnsOf)))
    .map(([payments, ...returns]) => ({ payments, returns: returns.flat() }))
}

const chargeAndView = arbitrary.charge.chain((charge) => fc.tuple(fc.constant(charge), viewOf(charge)))

const check = (expectation: (charge: Charge, view: ShownMoney, decided: ReturnType<typeof decideView>) => void): void =>
  fc.assert(
    fc.property(chargeAndView, ([charge, view]) => expectation(charge, view, decideView(charge, view, now))),
    { numRuns: runs },
  )

const isGone = ({ endToEndId, amountCents }: Payment, returns: ReadonlyArray<Return>): boolean =>
  returnedCents(endToEndId, returns) >= amountCents

const byTime = (payments: ReadonlyArray<Payment>): ReadonlyArray<Payment> =>
  payments.toSorted((a, b) => a.paidAt - b.paidAt || (a.endToEndId < b.endToEndId ? -1 : 1))

describe("a charge's whole view", () => {
  it("makes at most one move", () => {
    check((charge, _, { next }) => {
      if (next !== undefined) expect([next.version, next.updatedAt]).toEqual([charge.version + 1, now])
    })
  })

  it("makes a pending charge paid or refunded, and publishes each part that went back before the end", () => {
    check((charge, { payments, returns }, { next, news }) => {
      const [first] = byTime(payments)
      if (charge._tag !== "Pending" || first === undefined) return
      const isRefunded = isGone(first, returns)
      expect(next).toMatchObject({
        _tag: isRefunded ? "Refunded" : "Paid",
        payment: first,
        returns: returns.filter(({ endToEndId }) => endToEndId === first.endToEndId),
      })
      const parts = returns.filter(
        ({ endToEndId, amountCents }) => endToEndId === first.endToEndId && amountCents < first.amountCents,
      )
      expect(news).toEqual([
        ...(isRefunded ? [] : [{ kind: "paid" }]),
        ...parts.map((returned) => ({ kind: "part-refunded", returned })),
        ...(isRefunded ? [{ kind: "refunded" }] : []),
      ])
    })
  })

  it("never publishes a charge as paid if its money went back", () => {
    check((_, __, { next, news }) => {
      if (news?.some(({ kind }) => kind === "paid") !== true) return
      expect(next?._tag === "Paid" && isGone(next.payment, next.returns)).toBe(false)
    })
  })

  it("records all new payments, and all their returns", () => {
    check((charge, view, { next, payments, returns }) => {
      const settling = "payment" in charge ? charge.payment.endToEndId : undefined
      expect(payments).toEqual(byTime(view.payments).filter(({ endToEndId }) => endToEndId !== settling))
      const known = [...charge.returns, ...returns, ...(next?.returns ?? [])].map(
        ({ endToEndId, id }) => endToEndId + id,
      )
      expect(known).toEqual(expect.arrayContaining(view.returns.map(({ endToEndId, id }) => endToEndId + id)))
    })
  })

  it("leads to the same charge as its parts applied one by one, except for the event", () => {
    check((charge, { payments, returns }, { next }) => {
      const views: ReadonlyArray<ShownMoney> = [
        ...byTime(payments).map((payment) => ({ payments: [payment], returns: [] })),
        ...returns.map((returned) => ({ payments: [], returns: [returned] })),
      ]
      let state = charge
      for (const view of views) state = decideView(state, view, now).next ?? state
      const { version: _, ...after } = next ?? charge
      const { version: __, ...oneByOne } = state
      expect(after).toEqual(oneByOne)
    })
  })
})
