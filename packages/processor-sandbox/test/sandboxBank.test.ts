import { PaymentProcessor } from "@pixcharge/core"
import type { Cents } from "@pixcharge/core/money"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import { aCompany, aPaidCharge, aPayment, aPendingCharge, aRegisteredCharge } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"

const open = Effect.gen(function* () {
  const bank = sandboxBank()
  const processor = Context.get(yield* Layer.build(bank.processor), PaymentProcessor)
  const charge = yield* aRegisteredCharge(processor, aCompany())
  return { bank, processor, charge }
})

it.live("sandboxBank lists payments of a charge, and shows them in the charge, each with another id", () =>
  Effect.gen(function* () {
    const { bank, processor, charge } = yield* open
    const payments = [bank.pay(charge, 1_990 as Cents, 5), bank.pay(charge, 1_990 as Cents, 5)]
    expect(new Set(payments.map(({ endToEndId }) => endToEndId)).size).toBe(2)
    expect(yield* processor.lookup(charge)).toMatchObject({ status: "completed", payments })
    const { items } = yield* processor.payments(charge.issuer, { from: 5, until: 6 })
    expect(items).toHaveLength(2)
  }),
)

it.live("sandboxBank lists a return as made outside, and returns no more than the payment", () =>
  Effect.gen(function* () {
    const { bank, processor, charge } = yield* open
    const notice = bank.pay(charge, 1_990 as Cents, 5)
    const paid = aPaidCharge(charge, aPayment(charge, notice))
    const returned = bank.returnMoney(paid, 990 as Cents, 7)
    expect(returned).toMatchObject({ kind: "outside", id: expect.stringMatching(/^D[0-9A-Z]{31}$/) })
    expect(() => bank.returnMoney(paid, 1_001 as Cents, 8)).toThrow("from 1 to 1000 centavos")
    expect(() => bank.returnMoney(paid, 0 as Cents, 8)).toThrow(RangeError)
    const rest = bank.returnMoney(paid, 1_000 as Cents, 8)
    const { items } = yield* processor.payments(charge.issuer, { from: 5, until: 6, isReturned: true })
    expect(items).toEqual([{ ...notice, returns: [returned, rest] }])
  }),
)

it.live("sandboxBank makes a return at the given time, but not before its payment", () =>
  Effect.gen(function* () {
    const { bank, charge } = yield* open
    const notice = bank.pay(charge, 1_990 as Cents, 5_000)
    const paid = aPaidCharge(charge, aPayment(charge, notice))
    expect(bank.returnMoney(paid, 990 as Cents, 4_999).returnedAt).toBe(5_000)
    expect(bank.returnMoney(paid, 1_000 as Cents, 5_001).returnedAt).toBe(5_001)
  }),
)

it.live("sandboxBank lists a payment that it didn't make once some of its money is returned", () =>
  Effect.gen(function* () {
    const { bank, processor } = yield* open
    const paid = aPaidCharge(aPendingCharge())
    const returned = bank.returnMoney(paid, paid.payment.amountCents, paid.payment.paidAt)
    const { paidAt } = paid.payment
    const { items } = yield* processor.payments(paid.issuer, { from: paidAt, until: paidAt + 1 })
    expect(items).toMatchObject([{ endToEndId: paid.payment.endToEndId, returns: [returned] }])
    expect(items[0]).not.toHaveProperty("recordedAt")
  }),
)
