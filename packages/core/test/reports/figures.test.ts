import { type SlotCount } from "@pixcharge/core"
import { brasiliaDate, brasiliaWallClock } from "@pixcharge/core/calendar"
import { aCnpj } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ageBounds, foldFigures, makeCountFigures } from "../../src/services/reports/foldFigures.ts"
import { periodSlots } from "../../src/services/reports/Figures.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const slotAt = (slots: ReturnType<typeof periodSlots>, moment: number): number =>
  slots.findLastIndex(({ from }) => from <= moment)

describe("periodSlots", () => {
  test("returns Brasília's hours from any beginning, even across clock changes", () => {
    // A November with clocks put forward, and a February with clocks set back.
    const months = fc.constantFrom(Date.UTC(2018, 10, 1), Date.UTC(2019, 1, 1), Date.UTC(2026, 10, 1))
    const moments = fc.tuple(months, fc.nat(20 * dayMs), fc.nat(10 * dayMs), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(moments, ([month, start, length, part]) => {
        const period = { from: month + start, until: month + start + length }
        const slots = periodSlots(period)
        if (length === 0) {
          expect(slots).toEqual([])
          return
        }
        const moment = period.from + Math.floor(part * (length - 1))
        const slot = slots[slotAt(slots, moment)]
        expect([slot?.date, slot?.hour]).toEqual([
          brasiliaDate(moment),
          Number(brasiliaWallClock(moment).slice(11, 13)),
        ])
        expect(slots[0]?.from).toBe(period.from)
        expect(slots.every(({ from }, index) => index === 0 || from > (slots[index - 1]?.from ?? from))).toBe(true)
        expect(slots.length).toBeLessThanOrEqual(length / hourMs + 2)
      }),
    )
  })
})

describe("foldFigures", () => {
  const from = Date.UTC(2026, 10, 22, 3)
  const period = { from: from + 30 * 60_000, until: from + 2 * dayMs + 1 }
  const slots = periodSlots(period)
  const folded = (...counts: ReadonlyArray<SlotCount>) => foldFigures(period, slots, counts)

  test("returns every day and every hour, even those without counts", () => {
    const { days, hours, charges, timeToPayment } = folded()
    expect(days.map(({ date }) => date)).toEqual(["2026-11-22", "2026-11-23", "2026-11-24"])
    expect(days.map(({ payments }) => payments)).toEqual([0, 0, 0])
    expect(hours.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, index) => index))
    expect(charges).toEqual({ issued: 0, paid: 0, expired: 0, failed: 0, cancelled: 0 })
    expect(timeToPayment.buckets.map(({ charges: one }) => one)).toEqual(Array.from({ length: 16 }, () => 0))
    expect("medianSeconds" in timeToPayment || "p90Seconds" in timeToPayment).toBe(false)
  })

  test("sums the slots of each day, and of each hour of all days", () => {
    const at = (day: number, hour: number) => slotAt(slots, from + day * dayMs + hour * hourMs)
    const figures = folded(
      { counted: "payment", slot: at(0, 1), count: 2, sum: 500 },
      { counted: "payment", slot: at(0, 23), count: 1, sum: 70 },
      { counted: "payment", slot: at(2, 0), count: 1, sum: 9 },
      { counted: "return", slot: at(1, 5), count: 1, sum: 30 },
      { counted: "issued", slot: at(0, 9), count: 4, sum: 0 },
      { counted: "issued", slot: at(1, 9), count: 6, sum: 0 },
      { counted: "paid", slot: at(1, 9), count: 5, sum: 0 },
      { counted: "expired", slot: at(0, 9), count: 3, sum: 0 },
      { counted: "cancelled", slot: at(0, 9), count: 1, sum: 0 },
      { counted: "failed", slot: at(0, 9), count: 1, sum: 0 },
      { counted: "openException", slot: at(0, 1), count: 2, sum: 0 },
      { counted: "delivered", slot: at(0, 1), count: 7, sum: 3 },
      { counted: "dead", slot: at(0, 2), count: 1, sum: 10 },
      { counted: "waiting", slot: at(1, 2), count: 2, sum: 1 },
      { counted: "superseded", slot: at(1, 2), count: 5, sum: 4 },
    )
    expect(figures.days).toMatchObject([
      { payments: 3, paidCents: 570, returns: 0, delivered: 7, dead: 1, waiting: 0, failedAttempts: 13 },
      { payments: 0, paidCents: 0, returns: 1, returnedCents: 30, delivered: 0, waiting: 2, failedAttempts: 5 },
      { payments: 1, paidCents: 9 },
    ])
    expect(figures.hours[9]).toEqual({ hour: 9, issued: 10, paid: 5 })
    expect(figures.hours.filter(({ issued }) => issued > 0)).toHaveLength(1)
    expect(figures.charges).toEqual({ issued: 10, paid: 5, expired: 3, failed: 1, cancelled: 1 })
    expect(figures.payments).toEqual({ count: 4, cents: 579 })
    expect(figures.returns).toEqual({ count: 1, cents: 30 })
    expect(figures.openExceptions).toBe(2)
    expect(figures.deliveries).toEqual({ waiting: 2, delivered: 7, dead: 1, superseded: 5, failedAttempts: 18 })
  })

  test("returns the median and the 90th percentile as bucket bounds", () => {
    const age = (slot: number, count: number): SlotCount => ({ counted: "age", slot, count, sum: 0 })
    const time = (...counts: ReadonlyArray<SlotCount>) => {
      const { medianSeconds, p90Seconds } = folded(...counts).timeToPayment
      return [medianSeconds, p90Seconds]
    }
    const [minutes, hours, days] = [
      [1, 2, 5, 10, 30],
      [1, 3, 6, 12],
      [1, 3, 7, 30],
    ]
    expect(ageBounds).toEqual([
      15,
      30,
      ...minutes.map((n) => n * 60),
      ...hours.map((n) => n * 3_600),
      ...days.map((n) => n * 86_400),
    ])
    expect(time(age(0, 5), age(2, 4), age(3, 1))).toEqual([15, 60])
    expect(time(age(0, 4), age(1, 1), age(2, 4), age(15, 1))).toEqual([30, 60])
    expect(time(age(0, 4), age(2, 4), age(15, 2))).toEqual([60, undefined])
    expect(time(age(15, 1))).toEqual([undefined, undefined])
  })
})

it.effect("counts figures for at most 31 days, plus the extra hour of a clock change", () =>
  Effect.gen(function* () {
    const figures = makeCountFigures({ count: () => Effect.succeed([]) })
    const from = Date.UTC(2026, 9, 1, 3)
    const maxPeriod = { from, until: from + 31 * dayMs + hourMs }
    expect((yield* figures(aCnpj, maxPeriod)).period).toEqual(maxPeriod)
    const tooLong = { from, until: maxPeriod.until + 1 }
    expect(yield* Effect.flip(figures(aCnpj, tooLong))).toMatchObject({
      _tag: "PeriodTooLarge",
      operation: "figures",
      max: "31 days",
    })
  }),
)
