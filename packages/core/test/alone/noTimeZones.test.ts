import { expect, it, vi } from "vitest"

it("throws on a host without data of the time zone, instead of returning a wrong day", async () => {
  const { DateTimeFormat } = Intl
  vi.spyOn(Intl, "DateTimeFormat").mockImplementation(function (locales, options) {
    return new DateTimeFormat(locales, { ...options, timeZone: "America/Nowhere" })
  })
  const { brasiliaDate } = await import("@pixcharge/core/calendar")
  expect(() => brasiliaDate(Date.UTC(2026, 10, 23))).toThrow(RangeError)
})
