import { describe, expect, it } from "vitest"
import type { PspWays } from "../../src/profiles/PspProfile.ts"
import { listWindow } from "../../src/processor/ListPlace.ts"

const at = (text: string): number => Date.parse(text)

const parts = (from: string, until: string, listPeriod: PspWays["listPeriod"]) => {
  const listed: Array<readonly [string, string]> = []
  let since = at(from)
  while (since < at(until)) {
    const part = listWindow(since, at(until), { listPeriod })
    listed.push([since, part.to].map((ms) => new Date(Math.floor(ms / 1000) * 1000).toISOString()) as [string, string])
    expect(part.until).toBeGreaterThan(since)
    since = part.until
  }
  expect(since).toBe(at(until))
  return listed
}

describe("listWindow", () => {
  it("takes the whole period if the bank accepts any period", () => {
    expect(parts("2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z", "any")).toEqual([
      ["2026-01-01T00:00:00.000Z", "2026-12-31T00:00:00.000Z"],
    ])
  })

  it("splits a period by the profile's days, which include the rounded seconds at both ends", () => {
    const listed = parts("2026-11-01T00:00:00.500Z", "2026-11-11T00:00:00.500Z", { days: 5 })
    expect(listed).toHaveLength(3)
    for (const [from, to] of listed) expect(at(to) - at(from)).toBeLessThanOrEqual(5 * 86_400_000)
    expect([listed[0]?.[0], listed.at(-1)?.[1]]).toEqual(["2026-11-01T00:00:00.000Z", "2026-11-11T00:00:01.000Z"])
  })

  it("splits a period at the ends of the month in Brasília and in UTC, up to the last second", () => {
    expect(parts("2026-12-30T12:00:00Z", "2027-02-01T03:00:00.200Z", "month")).toEqual([
      ["2026-12-30T12:00:00.000Z", "2026-12-31T23:59:59.000Z"],
      ["2027-01-01T00:00:00.000Z", "2027-01-01T02:59:59.000Z"],
      ["2027-01-01T03:00:00.000Z", "2027-01-31T23:59:59.000Z"],
      ["2027-02-01T00:00:00.000Z", "2027-02-01T02:59:59.000Z"],
      ["2027-02-01T03:00:00.000Z", "2027-02-01T03:00:01.000Z"],
    ])
  })

  it("doesn't split a period that ends in the last second of a month", () => {
    expect(parts("2026-12-01T00:00:00Z", "2026-12-01T02:59:59.900Z", "month")).toEqual([
      ["2026-12-01T00:00:00.000Z", "2026-12-01T02:59:59.000Z"],
    ])
  })
})
