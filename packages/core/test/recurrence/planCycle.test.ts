import { nationalBankHolidays, withHolidays } from "@pixcharge/core/calendar"
import { cycleSchedule, type CyclePlan, cycleStart, findCycle, planCycle } from "@pixcharge/core/recurrence"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anApproved, anyDay, day, inBrasilia, periods, plusDays } from "./recurring.ts"

const plan = (fields: Parameters<typeof anApproved>[0], now: number): CyclePlan =>
  planCycle(anApproved(fields), nationalBankHolidays, now)

describe("planCycle", () => {
  const [opensAt, closesAt] = [inBrasilia("2026-12-01", 9), inBrasilia("2026-12-08", 22)]

  it("waits for the window, charges inside it, and misses the cycle after it", () => {
    expect(plan({}, opensAt - 1)).toEqual({ _tag: "Wait", until: opensAt })
    for (const now of [opensAt, closesAt - 1]) {
      expect(plan({}, now)).toMatchObject({ _tag: "Charge", schedule: { cycle: 1, dueDate: "2026-12-10" } })
    }
    expect(plan({}, closesAt)).toEqual({ _tag: "Miss", cycle: 1 })
  })

  it("misses a cycle whose window closed, even before the payer authorised", () => {
    expect(plan({ approvedAt: closesAt }, closesAt)).toEqual({ _tag: "Miss", cycle: 1 })
  })

  it("skips the host's skipped cycles when their windows open, also after an outage", () => {
    const fields = { skipped: [[1, 5_000] as const] }
    expect(plan(fields, opensAt - 1)).toEqual({ _tag: "Wait", until: opensAt })
    for (const now of [opensAt, closesAt, closesAt + 90 * 86_400_000]) {
      expect(plan(fields, now)).toEqual({ _tag: "Skip", cycle: 1, mayBeCharged: false })
    }
  })

  it("waits ten minutes for the bank's answer about a cycle that was skipped in its window", () => {
    const fields = { skipped: [[1, 1] as const], updatedAt: opensAt + 1 }
    const until = opensAt + 600_001
    expect(plan(fields, opensAt + 1)).toEqual({ _tag: "Wait", until })
    for (const now of [until, closesAt])
      expect(plan(fields, now)).toEqual({ _tag: "Skip", cycle: 1, mayBeCharged: true })
  })

  it("finishes after the last cycle", () => {
    const endDate = day("2027-01-10")
    expect(plan({ nextCycle: 2, endDate }, opensAt)._tag).toBe("Wait")
    expect(plan({ nextCycle: 3, endDate }, opensAt)).toEqual({ _tag: "Finished" })
  })

  it("misses a cycle without a window on its day", () => {
    const closed = Array.from({ length: 12 }, (_, days) => plusDays("2026-12-10", -1 - days))
    const holidays = withHolidays(nationalBankHolidays, closed)
    const until = inBrasilia("2026-12-10", 0)
    expect(planCycle(anApproved(), holidays, opensAt)).toEqual({ _tag: "Wait", until })
    expect(planCycle(anApproved(), holidays, until)).toEqual({ _tag: "Miss", cycle: 1 })
  })

  it("charges each cycle once, in its window, with any outages of the host", () => {
    const outages = fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 1, max: 90 })), {
      maxLength: 4,
    })
    const terms = fc.record({ period: fc.constantFrom(...periods), startDate: anyDay })
    let [charged, skipped] = [0, 0]
    fc.assert(
      fc.property(terms, outages, ({ period, startDate }, downs) => {
        const approvedAt = inBrasilia(startDate, 0) - 30 * 86_400_000
        let nextCycle = 1
        const charges = new Map<number, number>()
        const isDown = (at: number) => {
          const days = (at - approvedAt) / 86_400_000
          return downs.some(([from, length]) => days >= from && days < from + length)
        }
        const end = approvedAt + 730 * 86_400_000
        for (let now = approvedAt; now < end; now += 12 * 3_600_000) {
          if (isDown(now)) continue
          for (let steps = 0; ; steps++) {
            if (steps === 200) expect.fail(`${steps} cycles at ${now}`)
            const planned = plan({ period, startDate, approvedAt, nextCycle }, now)
            if (planned._tag === "Wait") {
              if (planned.until <= now) expect.fail(`waits at ${now} until ${planned.until}`)
              break
            }
            if (planned._tag === "Charge") {
              expect([planned.schedule.cycle, charges.has(nextCycle)]).toEqual([nextCycle, false])
              charges.set(nextCycle, now)
            } else skipped++
            nextCycle++
          }
        }
        for (let cycle = 1; inBrasilia(cycleStart({ period, startDate }, cycle), 0) < end; cycle++) {
          const found = cycleSchedule({ period, startDate }, cycle, nationalBankHolidays)
          if (found === undefined) throw new Error("expected a schedule")
          const at = charges.get(cycle)
          if (at !== undefined) expect(at >= found.opensAt && at < found.closesAt).toBe(true)
          // The clock ticks twice a day from midnight on.
          const ticks = Array.from(
            { length: 30 },
            (_, tick) => inBrasilia(cycleStart({ period, startDate }, cycle), 0) - tick * 12 * 3_600_000,
          )
          const wasUp = ticks.some((tick) => tick >= found.opensAt && tick < found.closesAt && !isDown(tick))
          expect(at !== undefined).toBe(wasUp)
          if (at !== undefined) expect(findCycle({ period, startDate }, found.dueDate)).toBe(cycle)
        }
        charged += charges.size
      }),
      { numRuns: 15 },
    )
    expect(charged).toBeGreaterThan(0)
    expect(skipped).toBeGreaterThan(0)
  })
})
