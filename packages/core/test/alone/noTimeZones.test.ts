import { expect, it, vi } from "vitest"

// Simulates a host without data of Brazil's zone. date-fns-tz remembers the known zones for the whole process.
vi.mock("date-fns-tz/fromZonedTime", async (original) => {
  const { fromZonedTime } = await original<{ fromZonedTime: (moment: string, zone: string) => Date }>()
  return { fromZonedTime: (moment: string) => fromZonedTime(moment, "America/Nowhere") }
})

it("throws on a host without data of the time zone, instead of returning a wrong day", async () => {
  const { brasiliaDate } = await import("@pixcharge/core/calendar")
  expect(() => brasiliaDate(Date.UTC(2026, 10, 23))).toThrow(
    new RangeError("this host has no data of the time zone America/Sao_Paulo"),
  )
})
