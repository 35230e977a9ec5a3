import { readFileSync } from "node:fs"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import {
  addDays,
  brasiliaWallClock,
  type Holidays,
  isBusinessDay,
  type LocalDate,
  nationalBankHolidays,
  nextBusinessDay,
  parseLocalDate,
  withHolidays,
} from "@pixcharge/core/calendar"
import { chargeExpiry, immediateLifetimeMs, payableForSeconds } from "@pixcharge/core/charges"

if (process.env["LONG"]) vi.setConfig({ testTimeout: 300_000 })

const date = (text: string): LocalDate => Result.getOrThrow(parseLocalDate(text.slice(0, 10)))
interface Vector {
  readonly dueDate: string
  readonly payableDays: number
  readonly movedDueDate: string
  readonly lastDay: string
  readonly expiresUtc: string
  readonly bacen: { readonly lastDay: string }
  readonly note: string
}

const vectors: {
  readonly cases: ReadonlyArray<Vector>
  readonly officialExamples: ReadonlyArray<Vector & { readonly officialLastDay: string }>
} = JSON.parse(readFileSync(new URL("expiry.json", import.meta.url), "utf8"))

const dayMs = 86_400_000
const createdAt = Date.parse("2018-01-01T12:00:00.000Z")

const ofDueDate = (dueDate: string, graceDays: number, holidays: Holidays = nationalBankHolidays) =>
  chargeExpiry({ createdAt, dueDate: date(dueDate), graceDays, holidays })

describe("a due-date charge", () => {
  it.each([...vectors.cases, ...vectors.officialExamples])(
    "due $dueDate with $payableDays days is payable to the end of $lastDay ($note)",
    ({ dueDate, payableDays, movedDueDate, lastDay, expiresUtc }) => {
      const expiry = ofDueDate(dueDate, payableDays)
      expect(expiry).toMatchObject({ movedDueDate, lastDay })
      expect(new Date(expiry.payableUntil).toISOString()).toBe(expiresUtc)
    },
  )

  it.each([...vectors.cases, ...vectors.officialExamples])(
    "due $dueDate with $payableDays days is watched one day beyond $bacen.lastDay, the central bank's last day",
    ({ dueDate, payableDays, bacen }) => {
      const expected = `${addDays(date(bacen.lastDay), 1)}T23:59:59.999`
      expect(brasiliaWallClock(ofDueDate(dueDate, payableDays).watchUntil)).toBe(expected)
    },
  )

  it.each(vectors.officialExamples)("$note: the last day moves to $officialLastDay", (example) => {
    const { lastDay } = ofDueDate(example.dueDate, example.payableDays)
    expect(lastDay && nextBusinessDay(lastDay)).toBe(example.officialLastDay)
  })

  const dueDates = fc
    .integer({ min: Date.parse("2018-01-01") / dayMs, max: Date.parse("2090-12-31") / dayMs })
    .map((day) => new Date(day * dayMs).toISOString().slice(0, 10) as LocalDate)
  const calendars = fc.oneof(
    fc.constant(nationalBankHolidays),
    fc.array(dueDates, { maxLength: 30 }).map((local) => withHolidays(nationalBankHolidays, local)),
  )

  it("is payable from its moved due date to the last millisecond of its last day", () => {
    fc.assert(
      fc.property(dueDates, fc.nat(400), calendars, (dueDate, graceDays, holidays) => {
        const { movedDueDate, lastDay, payableUntil, watchUntil } = ofDueDate(dueDate, graceDays, holidays)
        if (movedDueDate === undefined || lastDay === undefined) return expect.fail("expected a due date in the expiry")
        expect(isBusinessDay(movedDueDate, holidays) && movedDueDate >= dueDate).toBe(true)
        expect(lastDay).toBe(addDays(movedDueDate, graceDays))
        expect(brasiliaWallClock(payableUntil)).toBe(`${lastDay}T23:59:59.999`)
        expect(brasiliaWallClock(payableUntil + 1).slice(0, 10)).toBe(addDays(lastDay, 1))
        expect(watchUntil - payableUntil).toBeGreaterThanOrEqual(dayMs - 3_600_000)
      }),
      { numRuns: process.env["LONG"] ? 50_000 : 1000 },
    )
  })

  it("doesn't depend on the time of its creation", () => {
    const later = chargeExpiry({
      createdAt: createdAt + 1,
      dueDate: date("2026-11-20"),
      graceDays: 5,
      holidays: nationalBankHolidays,
    })
    expect(later).toEqual(ofDueDate("2026-11-20", 5))
  })

  it("follows its company's calendar", () => {
    const saoPaulo = withHolidays(nationalBankHolidays, [date("2026-07-09")])
    expect(ofDueDate("2026-07-09", 1).lastDay).toBe("2026-07-10")
    expect(ofDueDate("2026-07-09", 1, saoPaulo).lastDay).toBe("2026-07-11")
  })

  it("gets the right last day with any number of grace days", () => {
    for (let graceDays = 0; graceDays < 12_000; graceDays++) {
      const lastDay = ofDueDate("2026-11-23", graceDays).lastDay
      if (lastDay !== addDays(date("2026-11-23"), graceDays)) expect.fail(`${graceDays} days led to ${lastDay}`)
    }
    expect(ofDueDate("2026-11-24", 0).lastDay).toBe("2026-11-24")
    expect(ofDueDate("2026-11-23", 7).lastDay).toBe("2026-11-30")
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 22, 2 ** 22 + 5, 2 ** 53])(
    "throws for %d grace days",
    (graceDays) => {
      expect(() => ofDueDate("2026-11-20", graceDays)).toThrow(RangeError)
    },
  )

  it("says that grace days must be a whole number", () => {
    expect(() => ofDueDate("2026-11-20", -1)).toThrow(/^grace days must be a whole number from 0, not -1$/)
  })
})

describe("an immediate charge", () => {
  it("is payable for the requested seconds and watched one day longer", () => {
    const input = { createdAt, payableForSeconds: 90, graceDays: 5, holidays: nationalBankHolidays }
    const expiry = chargeExpiry(input)
    expect(expiry).toEqual({ payableUntil: createdAt + 90_000, watchUntil: createdAt + 90_000 + dayMs })
    expect(payableForSeconds({ createdAt, ...expiry })).toBe(90)
    const dueDate = "2026-11-20" as LocalDate
    expect(payableForSeconds({ createdAt, dueDate, ...expiry })).toBeUndefined()
    expect(chargeExpiry({ ...input, dueDate })).toEqual(chargeExpiry({ ...input, dueDate, payableForSeconds: 7 }))
  })

  it("is payable for 600 seconds by default and watched one day longer", () => {
    const expiry = chargeExpiry({ createdAt, graceDays: 5, holidays: nationalBankHolidays })
    expect(immediateLifetimeMs).toBe(600_000)
    expect(expiry).toEqual({ payableUntil: createdAt + 600_000, watchUntil: createdAt + 600_000 + dayMs })
  })
})
