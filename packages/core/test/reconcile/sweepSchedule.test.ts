import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isDueBetween, nextSweepAt, sweptFrom } from "../../src/services/reconcile/sweepSchedule.ts"

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe("sweptFrom", () => {
  it.each([
    ["45 s after the last list", 10 * minute, 10 * minute + 45 * second, 10 * minute - 90 * second],
    ["5 minutes after the last list", 20 * minute, 25 * minute, 10 * minute],
    ["at a full hour since the first charge", 119 * minute, 121 * minute, 119 * minute - 3 * hour],
    ["at a third hour since the first charge", 3 * hour - minute, 3 * hour, 3 * hour - minute - 11 * hour],
    ["at an eighth hour since the first charge", 16 * hour - minute, 16 * hour, 16 * hour - minute - 56 * hour],
    ["a day after the last list", 30 * hour, 54 * hour, -26 * hour],
  ])("returns the beginning of a list made %s", (_, reconciledUntil, until, from) => {
    const since = -100 * hour + 4 * hour
    expect(sweptFrom({ since, reconciledUntil }, until)).toBe(from)
  })

  it("begins five minutes before the company's first charge, in case the bank's clock is behind", () => {
    expect(sweptFrom({ since: 0, reconciledUntil: 0 }, day)).toBe(-5 * minute)
  })

  it.each([
    [1, 2 * minute],
    [minute, 2 * minute],
    [minute + 1, 56 * hour],
  ])("overlaps by two minutes if another host's clock is at most a minute ahead: %s ms", (ms, back) => {
    expect(sweptFrom({ since: 0, reconciledUntil: 10 * day + ms }, 10 * day)).toBe(10 * day - back)
  })

  it("ignores a first charge made while the clock ran ahead", () => {
    const since = 90 * day
    expect(sweptFrom({ since, reconciledUntil: since }, 10 * day)).toBe(10 * day - 56 * hour)
    const last = 10 * day + minute
    expect(sweptFrom({ since, reconciledUntil: last }, last + 45 * second)).toBe(last - 90 * second)
  })

  it("reaches back two days after a list made by a clock that ran ahead", () => {
    expect(sweptFrom({ since: 0, reconciledUntil: 90 * day }, 10 * day)).toBe(10 * day - 56 * hour)
  })

  it("finds a payment listed late, by up to two days, within the same delay plus two hours", () => {
    const pauses = fc.array(fc.integer({ min: 45 * second, max: hour }), { minLength: 200, maxLength: 300 })
    const lateMs = fc.oneof(fc.integer({ min: 0, max: 3 * hour }), fc.integer({ min: 0, max: 2 * day }))
    fc.assert(
      fc.property(pauses, lateMs, fc.double({ min: 0.1, max: 0.3, noNaN: true }), (steps, late, place) => {
        let reconciledUntil = 0
        const lists = steps.map((step) => {
          const until = reconciledUntil + step
          const from = sweptFrom({ since: 0, reconciledUntil }, until)
          reconciledUntil = until
          return { from, until }
        })
        const paidAt = Math.floor(reconciledUntil * place)
        const listedAt = paidAt + late
        const found = lists.find(({ from, until }) => from <= paidAt && until >= listedAt)
        const latest = listedAt + late + 2 * hour
        // The run may be too short for two days of lists.
        if (latest < reconciledUntil) expect(found?.until).toBeLessThanOrEqual(latest)
      }),
      { numRuns: 300 },
    )
  })
})

describe("nextSweepAt", () => {
  const swept = { returnsDueAt: 20 * hour }
  const at = 10 * hour

  it.each([
    ["when its older returns are due if no charge waits", undefined, 1, 20 * hour],
    ["45 s later if a new charge waits", at - 50 * second, 1, at + 45 * second],
    ["five minutes later if the youngest charge is ten minutes old", at - 10 * minute, 1, at + 5 * minute],
    ["an hour later if all charges are older", at - 9 * hour, 1, at + hour],
    ["two seconds later for each of a hundred pages", at - 50 * second, 100, at + 200 * second],
    ["five minutes later after a list of a thousand pages", at - 50 * second, 1_000, at + 5 * minute],
  ])("plans the next sweep %s", (_, youngestAt, pages, next) => {
    expect(nextSweepAt(swept, youngestAt, at, pages)).toBe(next)
  })

  it.each([
    ["a minute", at, at + minute],
    ["half the time since it began to fail", at + 40 * minute, at + 60 * minute],
    ["an hour", at + 30 * hour, at + 31 * hour],
  ])("plans the next sweep within %s after a failed list", (_, sweptAt, next) => {
    expect(nextSweepAt({ ...swept, lookedUp: { from: at, until: sweptAt } }, undefined, sweptAt, 0)).toBe(next)
  })
})

describe("isDueBetween", () => {
  it("is true every 45 s at first, then after half the age, finally once an hour", () => {
    const due: Array<number> = []
    for (let age = 1; age <= 6 * 3_600; age++) {
      if (isDueBetween(1_000 * second, (999 + age) * second, (1_000 + age) * second)) due.push(age)
    }
    const minutes = [0.75, 1.5, 2.25, 3.4, 5.1, 7.6, 11.4, 17.1, 25.6, 38.5, 57.7, 86.5, 120, 180, 240, 300, 360]
    expect(due.map((age) => Math.round(age / 6) / 10)).toEqual(minutes.map((at) => Math.round(at * 10) / 10))
  })

  it("is true for the period of the charge's creation", () => {
    expect(isDueBetween(100, 99, 100)).toBe(true)
    expect(isDueBetween(100, 50, 99)).toBe(false)
    expect(isDueBetween(100, 100, 101)).toBe(false)
  })
})
