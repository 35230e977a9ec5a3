import { expect, it, onTestFinished, vi } from "vitest"

it("a host without data of time zones says so, and gives no wrong moment", async () => {
  const knowing = Intl.DateTimeFormat
  const spy = vi.spyOn(Intl, "DateTimeFormat").mockImplementation(function (locales, options) {
    if (options?.timeZone === "America/Sao_Paulo") throw new RangeError("Invalid time zone specified")
    return new knowing(locales, options)
  })
  onTestFinished(() => spy.mockRestore())
  const { brasiliaDate } = await import("@pixcharge/core/calendar")
  expect(() => brasiliaDate(Date.UTC(2026, 10, 23))).toThrow(
    new RangeError("this host has no data of the time zone America/Sao_Paulo"),
  )
})
