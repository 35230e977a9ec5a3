import { endOfBrasiliaDay, type LocalDate, nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import type { Charge } from "@pixcharge/core/charges"
import { parseFees } from "@pixcharge/core/money"
import {
  aCancelledCharge,
  aCompany,
  aPaidCharge,
  aPartialRefund,
  aPartlyRefundedCharge,
  aPayment,
  aPendingCharge,
  aRefundedCharge,
  aRefundingCharge,
  aReturn,
  cents,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { makeSnapshot } from "../src/snapshot/Snapshot.ts"
import { makeState } from "../src/wire/State.ts"

const company = aCompany()

const snapshotAt = (charge: Charge, now: number, canRenew = false) =>
  makeSnapshot(charge, { company, holidays: nationalBankHolidays, now, canRenew })

const pending = aPendingCharge()
const { createdAt, payableUntil, watchUntil, brCode } = pending

describe("the snapshot of an unpaid charge", () => {
  it("has the code until `payableUntil`, and is expired afterwards", () => {
    const until = snapshotAt(pending, payableUntil)
    expect(until).toMatchObject({ status: "pending", isFinal: false, brCode, changesAt: payableUntil + 1 })
    const after = snapshotAt(pending, payableUntil + 1)
    expect(after).toMatchObject({ status: "expired", isFinal: false, changesAt: watchUntil + 1 })
    expect(after).not.toHaveProperty("brCode")
    expect(snapshotAt(pending, watchUntil).changesAt).toBe(watchUntil + 1)
  })

  it("omits the fields of a due date, payment or cancellation that the charge doesn't have", () => {
    const { name: payeeName, cnpj: payeeTaxId } = company
    const { amount, ...shown } = snapshotAt(pending, createdAt)
    expect(shown).toStrictEqual({
      status: "pending",
      isFinal: false,
      payeeName,
      payeeTaxId,
      payableUntil,
      brCode,
      returnedCents: 0,
      canRenew: false,
      changesAt: payableUntil + 1,
    })
    expect(amount).toMatchObject({ originalCents: 1990, totalCents: 1990 })
  })

  it("is final after the watch for a payment has ended", () => {
    expect(snapshotAt(pending, watchUntil).isFinal).toBe(false)
    const after = snapshotAt(pending, watchUntil + 1)
    expect(after).toMatchObject({ status: "expired", isFinal: true })
    expect(after).not.toHaveProperty("changesAt")
  })

  it("can be renewed after the expiry if the host issues new charges", () => {
    expect(snapshotAt(pending, payableUntil, true).canRenew).toBe(false)
    expect(snapshotAt(pending, payableUntil + 1, true).canRenew).toBe(true)
    expect(snapshotAt(pending, payableUntil + 1).canRenew).toBe(false)
  })
})

describe("the snapshot of a due-date charge", () => {
  it("keeps the promised day and amount after the calendar changes", () => {
    const dueDate = "2026-06-08" as LocalDate
    const fees = Result.getOrThrow(parseFees({ fine: { kind: "fixed", amountCents: 150 } }))
    const charge = aPendingCharge({
      dueDate,
      fees,
      closedDays: { from: dueDate, until: "2026-06-30" as LocalDate, closed: [] },
      payableUntil: endOfBrasiliaDay("2026-06-15" as LocalDate),
    })
    const closedSince = withHolidays(nationalBankHolidays, [dueDate])
    const now = Date.UTC(2026, 5, 9, 15)
    const shown = makeSnapshot(charge, { company, holidays: closedSince, now, canRenew: false })
    expect(shown).toMatchObject({
      movedDueDate: dueDate,
      amount: { fineCents: 150, totalCents: charge.amountCents + 150 },
    })
    const { closedDays: _, ...old } = charge
    const before = makeSnapshot(old, { company, holidays: closedSince, now, canRenew: false })
    expect(before).toMatchObject({ movedDueDate: "2026-06-09", amount: { fineCents: 0 } })
  })
})

describe("the amount due", () => {
  const fees = Result.getOrThrow(
    parseFees({
      fine: { kind: "fixed", amountCents: 150 },
      interest: { kind: "fixedPerDay", amountCents: 10, days: "calendar" },
      discount: { kind: "fixedUntil", tiers: [{ daysBefore: 2, amountCents: 500 }] },
    }),
  )
  // A Saturday, so the moved due date is Monday, 8 June 2026.
  const dueDate = "2026-06-06" as LocalDate
  const end = (day: string) => endOfBrasiliaDay(day as LocalDate)
  const charge = aPendingCharge({
    amountCents: cents(10_000),
    dueDate,
    fees,
    payableUntil: end("2026-06-12"),
    watchUntil: end("2026-06-14"),
  })

  it("follows the date in Brasília, and changes at midnight in Brasília", () => {
    const before = snapshotAt(charge, end("2026-06-05"))
    expect(before).toMatchObject({ dueDate, movedDueDate: "2026-06-08", changesAt: end("2026-06-05") + 1 })
    const totals = ["2026-06-03", "2026-06-06", "2026-06-08", "2026-06-09", "2026-06-11"].map(
      (day) => snapshotAt(charge, end(day)).amount.totalCents,
    )
    expect(totals).toEqual([9_500, 10_000, 10_000, 10_160, 10_180])
    expect(snapshotAt(charge, end("2026-06-08") + 1).amount).toMatchObject({ fineCents: 150, interestCents: 10 })
  })

  it("doesn't change at midnight if the charge has no fees", () => {
    const { fees: _, ...plain } = charge
    expect(snapshotAt(plain, end("2026-06-03")).changesAt).toBe(charge.payableUntil + 1)
  })

  it("stays fixed after the last payable day or the day of payment", () => {
    expect(snapshotAt(charge, end("2026-06-20")).amount.totalCents).toBe(10_190)
    const paid = aPaidCharge(charge, aPayment(charge, { paidAt: end("2026-06-10") }))
    expect(snapshotAt(paid, end("2026-07-30")).amount.totalCents).toBe(10_170)
    expect(snapshotAt(paid, end("2026-06-10"))).not.toHaveProperty("changesAt")
    const cancelled = { ...aCancelledCharge(charge), cancelledAt: end("2026-06-09") }
    expect(snapshotAt(cancelled, end("2026-07-30")).amount.totalCents).toBe(10_160)
  })
})

describe("the snapshot of a charge", () => {
  const paid = aPaidCharge(pending)
  const refunding = aRefundingCharge(paid)

  it("shows whether the payment was late, and is final", () => {
    const { amountCents, paidAt, endToEndId } = paid.payment
    const payment = { amountCents, paidAt, endToEndId, isLate: false }
    expect(snapshotAt(paid, createdAt)).toMatchObject({ status: "paid", isFinal: true, payment, returnedCents: 0 })
    const late = aPaidCharge(pending, aPayment(pending, { late: true }))
    expect(snapshotAt(late, watchUntil * 2)).toMatchObject({ status: "paid", payment: { isLate: true } })
    expect(snapshotAt(paid, createdAt)).not.toHaveProperty("brCode")
  })

  it("shows a partial return, and isn't final while a partial refund is under way", () => {
    const part = aPartialRefund(paid, { amountCents: cents(40) })
    const partlyRefunded = aPartlyRefundedCharge(paid, part)
    expect(snapshotAt(partlyRefunded, createdAt)).toMatchObject({ status: "paid", isFinal: false, returnedCents: 0 })
    const returned = aReturn(paid.payment, { id: part.refund.id, amountCents: cents(40) })
    expect(snapshotAt({ ...partlyRefunded, returns: [returned] }, createdAt)).toMatchObject({
      status: "paid",
      isFinal: true,
      returnedCents: 40,
    })
    const [first = part] = partlyRefunded.partialRefunds ?? []
    const second = { ...first, key: "part-2", refund: { ...first.refund, id: "0123456789abcdef0123456789abcdP1" } }
    expect(
      snapshotAt({ ...partlyRefunded, partialRefunds: [first, second], returns: [returned] }, createdAt).isFinal,
    ).toBe(false)
  })

  it("is final after the whole payment was returned", () => {
    expect(snapshotAt(refunding, createdAt)).toMatchObject({ status: "refunding", isFinal: false })
    const refunded = aRefundedCharge(refunding)
    const { refundedAt } = refunded
    expect(snapshotAt(refunded, createdAt)).toMatchObject({
      status: "refunded",
      isFinal: true,
      refundedAt,
      returnedCents: paid.payment.amountCents,
    })
  })

  it("shows the time of the cancellation", () => {
    const cancelled = aCancelledCharge(pending)
    const { cancelledAt } = cancelled
    expect(snapshotAt(cancelled, watchUntil + 1)).toMatchObject({ status: "cancelled", isFinal: true, cancelledAt })
  })

  it("contains no data of the payer except texts meant for them", () => {
    const payer = { name: "Maria Canario", taxId: "52998224725" as never }
    const additionalInfo = [{ name: "Nota", value: "A-7" }]
    const named = aPendingCharge({ payer, messageToPayer: "Pedido 1042", additionalInfo })
    expect(snapshotAt(named, createdAt)).toMatchObject({ description: "Pedido 1042", additionalInfo })
    for (const charge of [named, aPaidCharge(named)]) {
      const { snapshot, facts } = makeState(snapshotAt(charge, createdAt))
      expect(JSON.stringify([snapshot, facts])).not.toMatch(/Maria|52998224725/)
      if (charge._tag === "Paid") expect(JSON.stringify(facts)).not.toContain(charge.payment.endToEndId)
    }
  })

  it("keeps its id while the shown facts are unchanged", () => {
    const id = makeState(snapshotAt(pending, createdAt)).id
    expect(id).toMatch(/^[\w-]{16}$/)
    expect(makeState(snapshotAt({ ...pending, version: 9, updatedAt: 5 }, createdAt + 1)).id).toBe(id)
    expect(makeState(snapshotAt(pending, payableUntil + 1)).id).not.toBe(id)
  })
})
