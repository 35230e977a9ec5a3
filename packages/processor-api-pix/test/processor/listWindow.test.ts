import { describe, expect, it } from "vitest"
import type { PspWays } from "../../src/profiles/PspProfile.ts"
import { listWindow } from "../../src/processor/ListPlace.ts"

const at = (text: string): number => Date.parse(text)

const parts = (from: string, until: string, listPeriod: PspWays["listPeriod"]) => {
  const asked: Array<readonly [string, string]> = []
  let since = at(from)
  while (since < at(until)) {
    const part = listWindow(since, at(until), { listPeriod })
    asked.push([since, part.to].map((ms) => new Date(Math.floor(ms / 1000) * 1000).toISOString()) as [string, string])
    expect(part.until).toBeGreaterThan(since)
    since = part.until
  }
  expect(since).toBe(at(until))
  return asked
}

describe("listWindow", () => {
  it("takes the whole period if the bank accepts any", () => {
    expect(parts("2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z", "any")).toEqual([
      ["2026-01-01T00:00:00.000Z", "2026-12-31T00:00:00.000Z"],
    ])
  })

  it("splits by the profile's days, the seconds around them included", () => {
    const asked = parts("2026-11-01T00:00:00.500Z", "2026-11-11T00:00:00.500Z", { days: 5 })
    expect(asked).toHaveLength(3)
    for (const [from, to] of asked) expect(at(to) - at(from)).toBeLessThanOrEqual(5 * 86_400_000)
    expect([asked[0]?.[0], asked.at(-1)?.[1]]).toEqual(["2026-11-01T00:00:00.000Z", "2026-11-11T00:00:01.000Z"])
  })

  it("splits by the months of Brasília and of UTC, to the last second of each", () => {
    expect(parts("2026-12-30T12:00:00Z", "2027-02-01T03:00:00.200Z", "month")).toEqual([
      ["2026-12-30T12:00:00.000Z", "2026-12-31T23:59:59.000Z"],
      ["2027-01-01T00:00:00.000Z", "2027-01-01T02:59:59.000Z"],
      ["2027-01-01T03:00:00.000Z", "2027-01-31T23:59:59.000Z"],
      ["2027-02-01T00:00:00.000Z", "2027-02-01T02:59:59.000Z"],
      ["2027-02-01T03:00:00.000Z", "2027-02-01T03:00:01.000Z"],
    ])
  })

  it("keeps a month that ends in its last second", () => {
    expect(parts("2026-12-01T00:00:00Z", "2026-12-01T02:59:59.900Z", "month")).toEqual([
      ["2026-12-01T00:00:00.000Z", "2026-12-01T02:59:59.000Z"],
    ])
  })
})
