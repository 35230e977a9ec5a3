import { chargeTxid, type PendingCharge } from "@pixcharge/core/charges"
import { nationalBankHolidays } from "@pixcharge/core/calendar"
import {
  cycleChargeId,
  cycleSchedule,
  type Debit,
  type DebitAttempt,
  newCycleCharge,
  newDebit,
} from "@pixcharge/core/recurrence"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isCancellable } from "../../src/model/cycle/Debit.ts"
import {
  chargeableUntil,
  nextDebitCheckAt,
  nextRecurrenceCheckAt,
} from "../../src/model/recurrence/recurrenceChecks.ts"
import { cents } from "@pixcharge/adapter-tests/fixtures"
import { aCycle, anApproved, anAttempt, day, inBrasilia, plusDays } from "./recurring.ts"

const createdAt = inBrasilia("2026-11-30", 9)
const minute = 60_000
const hour = 60 * minute

const aCharge = (fields: Partial<PendingCharge> = {}, recurrence = anApproved({ retries: "threeInSeven" })) => {
  const schedule = cycleSchedule(recurrence, 1, nationalBankHolidays)
  if (schedule === undefined) throw new Error("expected a schedule")
  const given = { amountCents: cents(4990), generation: 2, transactionId: "T1" }
  return { ...newCycleCharge(recurrence, schedule, given, createdAt), ...fields }
}

describe("newCycleCharge", () => {
  it("makes a charge with the recurrence's terms and the schedule's days, watched for two more days", () => {
    const recurrence = anApproved({ retries: "threeInSeven" })
    expect(aCharge()).toMatchObject({
      _tag: "Pending",
      issuer: recurrence.issuer,
      id: cycleChargeId(recurrence, 1, 2),
      txid: chargeTxid(recurrence.issuer, cycleChargeId(recurrence, 1, 2)),
      transactionId: "T1",
      amountCents: 4990,
      dueDate: "2026-12-10",
      payer: recurrence.payer,
      cycle: { ...aCycle, generation: 2, bankId: recurrence.bankId },
      payableUntil: inBrasilia("2026-12-18", 0) - 1,
      watchUntil: inBrasilia("2026-12-20", 0) - 1,
      version: 1,
      debit: newDebit,
    })
  })

  it("makes a charge without retries, watched until two days after its due date", () => {
    const charge = aCharge({}, anApproved())
    expect(charge.cycle?.retryDays).toEqual([])
    expect([charge.payableUntil, charge.watchUntil]).toEqual([
      inBrasilia("2026-12-11", 0) - 1,
      inBrasilia("2026-12-13", 0) - 1,
    ])
  })

  it("makes a charge that can be registered at the bank until its window closes", () => {
    const recurrence = anApproved()
    expect(chargeableUntil(recurrence, aCharge(), nationalBankHolidays)).toBe(inBrasilia("2026-12-08", 22))
    const later = aCharge({ dueDate: day("2026-12-20") })
    expect(chargeableUntil(recurrence, later, nationalBankHolidays)).toBe(inBrasilia("2026-12-17", 22))
  })
})

describe("isCancellable", () => {
  const isOpen = (debit: Partial<Debit>, now: number) =>
    isCancellable({ cycle: aCycle, debit: { ...newDebit, ...debit } }, now)
  const retry = (status: DebitAttempt["status"]) => anAttempt(status, { kind: "retry", on: day("2026-12-12") })

  it("allows a cancellation until 22:00 of the day before the debit, with or without an attempt at the bank", () => {
    for (const debit of [{}, { attempts: [anAttempt("requested")] }, { attempts: [anAttempt("scheduled")] }]) {
      expect(isOpen(debit, inBrasilia("2026-12-09", 22) - 1)).toBe(true)
      expect(isOpen(debit, inBrasilia("2026-12-09", 22))).toBe(false)
      expect(isOpen(debit, inBrasilia("2026-12-10", 20))).toBe(false)
    }
  })

  it("allows a cancellation once no attempt is under way, until 22:00 of the day before a retry", () => {
    const failed = [anAttempt("expired")]
    expect(isOpen({ attempts: failed }, inBrasilia("2026-12-10", 21))).toBe(true)
    for (const debit of [
      { attempts: [...failed, retry("scheduled")] },
      { attempts: failed, retries: [retry("requested").on] },
    ]) {
      expect(isOpen(debit, inBrasilia("2026-12-11", 22) - 1)).toBe(true)
      expect(isOpen(debit, inBrasilia("2026-12-11", 22))).toBe(false)
    }
  })

  it("allows a cancellation from 21:00 on after a day without an attempt", () => {
    expect(isOpen({}, inBrasilia("2026-12-10", 21) - 1)).toBe(false)
    expect(isOpen({}, inBrasilia("2026-12-10", 21))).toBe(true)
    const refused = { attempts: [anAttempt("expired")], retries: [retry("requested").on] }
    expect(isOpen(refused, inBrasilia("2026-12-12", 21) - 1)).toBe(false)
    expect(isOpen(refused, inBrasilia("2026-12-12", 21))).toBe(true)
  })

  it("refuses a cancellation during an attempt without news from the bank", () => {
    expect(isOpen({ attempts: [anAttempt("scheduled")] }, inBrasilia("2026-12-11", 12))).toBe(false)
    expect(isOpen({ attempts: [anAttempt("unknown")] }, inBrasilia("2026-12-11", 12))).toBe(false)
  })

  it("allows a cancellation of a charge without a cycle at any time", () => {
    expect(isCancellable({}, createdAt)).toBe(true)
  })
})

describe("nextDebitCheckAt", () => {
  const next = (debit: Partial<Debit>, now: number) =>
    nextDebitCheckAt(aCharge({ debit: { ...newDebit, ...debit } }), now)

  it("looks a charge up after a minute, ten minutes and then hourly until it is scheduled", () => {
    for (const status of ["requested", "registered"] as const) {
      expect(next({ status }, createdAt)).toBe(createdAt + minute)
      expect(next({ status }, createdAt + minute)).toBe(createdAt + 10 * minute)
      expect(next({ status }, createdAt + 10 * minute)).toBe(createdAt + 10 * minute + hour)
      expect(next({ status, attempts: [anAttempt("requested")] }, createdAt + hour)).toBe(createdAt + 2 * hour)
    }
  })

  it("looks a charge up five minutes after the night's and the evening's attempts on its day", () => {
    const debit: Partial<Debit> = { status: "scheduled", attempts: [anAttempt("scheduled")] }
    const [morning, evening] = [inBrasilia("2026-12-10", 8, 5), inBrasilia("2026-12-10", 21, 5)]
    expect(next(debit, createdAt)).toBe(morning)
    expect(next(debit, morning)).toBe(evening)
    expect(next(debit, evening)).toBe(evening + hour)
  })

  it("looks a charge up on the days after a failure, and hourly until a retry is shown", () => {
    const failed: Partial<Debit> = {
      status: "registered",
      attempts: [anAttempt("expired")],
      failure: { on: aCycle.settlesOn },
    }
    const evening = inBrasilia("2026-12-10", 21, 5)
    expect(next(failed, evening)).toBe(inBrasilia("2026-12-11", 8, 5))
    const retried = { ...failed, retries: [day("2026-12-12")] }
    expect(next(retried, evening)).toBe(evening + hour)
    expect(next(retried, inBrasilia("2026-12-12", 21))).toBe(inBrasilia("2026-12-12", 21, 5))
    expect(next(retried, inBrasilia("2026-12-12", 21, 5))).toBe(inBrasilia("2026-12-13", 8, 5))
  })

  it("plans no look-up after the charge's end, and otherwise a look-up in the future", () => {
    expect(next({ status: "unpaid" }, createdAt)).toBe(undefined)
    expect(next({ status: "rejected" }, createdAt)).toBe(undefined)
    const { watchUntil } = aCharge()
    expect(next({}, watchUntil + 1)).toBe(undefined)
    const attempt = fc.record({
      kind: fc.constant("first" as const),
      on: fc.integer({ min: 0, max: 9 }).map((days) => plusDays("2026-12-10", days)),
      status: fc.constantFrom<DebitAttempt["status"]>("requested", "scheduled", "expired", "rejected", "unknown"),
    })
    fc.assert(
      fc.property(
        fc.array(attempt, { maxLength: 3 }),
        fc.constantFrom("requested" as const, "registered" as const, "scheduled" as const),
        fc.integer({ min: createdAt, max: watchUntil }),
        (attempts, status, now) => {
          const at = next({ attempts, status, retries: attempts.map(({ on }) => plusDays(on, 1)) }, now)
          expect(Number.isSafeInteger(at) && (at ?? 0) > now).toBe(true)
          expect((at ?? 0) - now).toBeLessThanOrEqual(10 * 24 * hour)
        },
      ),
    )
  })
})

describe("nextRecurrenceCheckAt", () => {
  const { bankId, approvedAt, ...rest } = anApproved()
  const requested = { ...rest, _tag: "Requested" } as const
  const at = (recurrence: Parameters<typeof nextRecurrenceCheckAt>[0], now: number) =>
    nextRecurrenceCheckAt(recurrence, nationalBankHolidays, now)

  it("checks a recurrence again after half the time that it has waited for an answer, in whole milliseconds", () => {
    const { createdAt: since } = requested
    const states = [requested, { ...rest, _tag: "Ending", requestedAt: since } as const]
    for (const recurrence of states) {
      expect(at(recurrence, since)).toBe(since + 10_000)
      expect(at(recurrence, since + 60_000)).toBe(since + 90_000)
      expect(at(recurrence, since + 60_001)).toBe(Math.round(since + 60_001 + 30_000.5))
      expect(at(recurrence, since + 20 * hour)).toBe(since + 21 * hour)
    }
    const offered = { ...rest, _tag: "Offered", bankId } as const
    expect(at(offered, since)).toBe(since + 45_000)
    expect(at(offered, since + 24 * hour)).toBe(since + 25 * hour)
    expect(at(offered, since + 8 * 24 * hour)).toBe(since + 9 * 24 * hour)
  })

  it("checks a recurrence when a window opens, and once a week", () => {
    const opensAt = inBrasilia("2026-12-01", 9)
    const approved = { ...rest, _tag: "Approved", bankId, approvedAt } as const
    expect(at(approved, opensAt - hour)).toBe(opensAt)
    expect(at(approved, opensAt - 30 * 24 * hour)).toBe(opensAt - 23 * 24 * hour)
    expect(at(approved, opensAt)).toBe(opensAt)
    expect(at({ ...approved, announcedCycle: 1 }, opensAt)).toBe(opensAt + 7 * 24 * hour)
    expect(at({ ...approved, announcedCycle: 1 }, inBrasilia("2026-12-07", 9))).toBe(inBrasilia("2026-12-08", 22))
    expect(at({ ...approved, endDate: day("2026-12-10"), nextCycle: 2 }, opensAt)).toBe(opensAt + 7 * 24 * hour)
  })

  it("plans no check of a recurrence that is over", () => {
    expect(at({ ...rest, _tag: "Ended", end: { reason: "ended", at: 1 } }, createdAt)).toBe(undefined)
  })
})
