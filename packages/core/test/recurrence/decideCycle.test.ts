import { cycleSchedule, newCycleCharge, newDebit } from "@pixcharge/core/recurrence"
import type { Charge, PendingCharge } from "@pixcharge/core/charges"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import { aPendingCharge, cents } from "@pixcharge/adapter-tests/fixtures"
import { describe, expect, it } from "vitest"
import { newsEvent } from "../../src/model/charge/chargeEvents.ts"
import { type CycleCommand, decideCycle } from "../../src/model/charge/decide.ts"
import { anApproved, anAttempt, day, inBrasilia } from "./recurring.ts"

const recurrence = anApproved({ retries: "threeInSeven" })
const schedule = cycleSchedule(recurrence, 1, nationalBankHolidays)
if (schedule === undefined) throw new Error("expected a schedule")
const given = { amountCents: cents(4990), generation: 1, transactionId: "T1" }
const charge: PendingCharge = newCycleCharge(recurrence, schedule, given, inBrasilia("2026-11-30", 9))
const evening = inBrasilia("2026-12-10", 21)

const views = (status: "active" | "cancelled" | "expired", ...attempts: ReadonlyArray<ReturnType<typeof anAttempt>>) =>
  ({ _tag: "RecordDebit", view: { status, attempts } }) as const satisfies CycleCommand

const after = (from: Charge, command: CycleCommand, now = evening): Charge =>
  decideCycle(from, command, now).next ?? from
const failed = after(charge, views("active", anAttempt("expired")))
const retry: CycleCommand = { _tag: "RequestRetry", on: day("2026-12-12") }

describe("decideCycle", () => {
  it("records the bank's view of a debit, and cancels a charge that the bank has cancelled", () => {
    const { next, news } = decideCycle(charge, views("active", anAttempt("scheduled")), evening)
    expect(next).toMatchObject({ _tag: "Pending", version: 2, updatedAt: evening, debit: { status: "scheduled" } })
    expect(news).toMatchObject([{ kind: "payment-scheduled" }])
    expect(decideCycle(charge, views("active"), evening).next).toMatchObject({ debit: { status: "registered" } })
    const cancelled = decideCycle(charge, views("cancelled"), evening)
    expect(cancelled.next).toMatchObject({ _tag: "Cancelled", version: 2, cancelledAt: evening })
    expect(cancelled.news).toEqual([{ kind: "payment-failed", reason: "cancelled", on: "2026-12-10" }])
  })

  it("reports a cancelled charge unless the company cancelled it", () => {
    const cancel = (by: "company" | "payer") =>
      decideCycle(
        charge,
        { _tag: "RecordDebit", view: { status: "cancelled", attempts: [], by, code: "SLDB" } },
        evening,
      )
    expect(cancel("company").news).toBe(undefined)
    expect(cancel("payer").news).toMatchObject([{ reason: "cancelled", by: "payer", code: "SLDB" }])
  })

  it("records the day of a retry once, and rejects a forbidden day", () => {
    const requested = after(failed, retry)
    expect(requested).toMatchObject({ version: failed.version + 1, debit: { retries: ["2026-12-12"] } })
    for (const on of ["2026-12-12", "2026-12-13"]) {
      expect(decideCycle(requested, { _tag: "RequestRetry", on: day(on) }, evening).next).toBe(undefined)
    }
    expect(decideCycle(charge, retry, evening).next).toBe(undefined)
    expect(decideCycle(failed, { _tag: "RequestRetry", on: day("2026-12-18") }, evening).next).toBe(undefined)
  })

  it("ignores debit commands for a charge without a cycle, and for a cancelled charge", () => {
    const cancelled = after(charge, views("cancelled"))
    for (const other of [aPendingCharge(), cancelled]) {
      for (const command of [retry, views("active", anAttempt("scheduled")), views("cancelled")]) {
        expect(decideCycle(other, command, evening)).toMatchObject({ payments: [], returns: [] })
        expect(decideCycle(other, command, evening).next).toBe(undefined)
      }
    }
    expect(cancelled).toMatchObject({ debit: newDebit })
  })
})

it("gives one event id to each fact of a cycle's charge", () => {
  const second = { ...charge, cycle: { ...charge.cycle, generation: 2 } } as PendingCharge
  const rejected = anAttempt("rejected", { code: "AM02" })
  const early = inBrasilia("2026-12-01", 9)
  const commands: ReadonlyArray<readonly [PendingCharge, CycleCommand, number]> = [
    [charge, views("active", anAttempt("scheduled")), early],
    [charge, views("active", anAttempt("scheduled", { kind: "retry", on: day("2026-12-12") })), early],
    [charge, views("active", rejected), early],
    [charge, views("active", anAttempt("expired")), evening],
    [charge, views("cancelled"), early],
    [second, views("active", rejected), early],
  ]
  const ids = commands.map(([of, command, now]) => {
    const { next, news: [news] = [] } = decideCycle(of, command, now)
    if (next === undefined || news === undefined) throw new Error("expected a move with news")
    const event = newsEvent(next, news, "Loja")
    expect(event).toMatchObject({
      issuer: charge.issuer,
      companyName: "Loja",
      cycle: 1,
      charge: { chargeId: charge.id },
    })
    expect(newsEvent({ ...next, version: 9, updatedAt: 7 }, news, "Loja")?.id).toBe(event?.id)
    return event?.id
  })
  expect(new Set(ids).size).toBe(ids.length)
  expect(
    newsEvent(aPendingCharge(), { kind: "payment-failed", reason: "cancelled", on: day("2026-12-10") }, "Loja"),
  ).toBe(undefined)
})
