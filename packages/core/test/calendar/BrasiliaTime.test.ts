import { afterAll, beforeEach, describe, expect, it, vi } from "vitest"
import type * as Calendar from "@pixcharge/core/calendar"
import { brasiliaHour, endOfBrasiliaDay, startOfBrasiliaDay } from "../../src/model/calendar/BrasiliaTime.ts"

type LocalDate = Calendar.LocalDate
type BrasiliaTime = Pick<
  typeof Calendar,
  "brasiliaDate" | "brasiliaWallClock" | "endOfBrasiliaDay" | "startOfBrasiliaDay"
>

const dayMs = 86_400_000
const hourMs = 3_600_000
const toDate = (epochDay: number): LocalDate => new Date(epochDay * dayMs).toISOString().slice(0, 10) as LocalDate

/** The oracle: the host's own formatter for São Paulo. */
const formatter = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/Sao_Paulo",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
})
const formatted = new Map<number, string>()
/** Cached, because the formatter is slow. */
const wallClock = (epochMs: number): string => {
  const known = formatted.get(epochMs) ?? formatter.format(epochMs).replace(" ", "T").replace(",", ".")
  formatted.set(epochMs, known)
  return known
}

const hostZone = process.env["TZ"]
const setHostZone = (zone: string | undefined) => {
  if (zone === undefined) delete process.env["TZ"]
  else process.env["TZ"] = zone
}
afterAll(() => setHostZone(hostZone))

/** A new copy of the module, because it caches days. */
const load = async (): Promise<BrasiliaTime> => {
  vi.resetModules()
  return import("@pixcharge/core/calendar")
}

/** The days of a range whose conversion is wrong. */
const wrongDays = (time: BrasiliaTime, from: string, to: string): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  for (let day = Date.parse(from) / dayMs; day <= Date.parse(to) / dayMs; day++) {
    const date = toDate(day)
    const start = time.startOfBrasiliaDay(date)
    const end = time.endOfBrasiliaDay(date)
    const right =
      wallClock(start).startsWith(date) &&
      wallClock(start - 1) === `${toDate(day - 1)}T23:59:59.999` &&
      wallClock(end) === `${date}T23:59:59.999` &&
      time.startOfBrasiliaDay(toDate(day + 1)) === end + 1 &&
      time.brasiliaDate(start) === date &&
      time.brasiliaDate(end) === date &&
      time.brasiliaWallClock(end) === `${date}T23:59:59.999`
    if (!right) wrong.push(date)
  }
  return wrong
}

describe("a day in Brasília", () => {
  it("has the right start on 1970-01-01 even if no day was requested before", async () => {
    expect(wrongDays(await load(), "1970-01-01", "1970-01-01")).toEqual([])
  })

  it("agrees with the host's formatter at midnights and around clock changes, 1985 to 2019", async () => {
    const time = await load()
    const wrong: Array<string> = []
    const offsets = [-2 * hourMs, -hourMs - 1, -hourMs, -1, 0, 1, hourMs - 1, hourMs, 12 * hourMs + 34_567]
    for (let day = Date.parse("1985-01-01") / dayMs; day < Date.parse("2020-01-01") / dayMs; day += 1) {
      const start = time.startOfBrasiliaDay(toDate(day))
      const nearChange = time.endOfBrasiliaDay(toDate(day)) + 1 - start !== dayMs
      for (const offset of nearChange ? [...offsets, 22 * hourMs, 23 * hourMs, 24 * hourMs, 25 * hourMs] : [0]) {
        const right = wallClock(start + offset)
        const [clock, date] = [time.brasiliaWallClock(start + offset), time.brasiliaDate(start + offset)]
        if (clock !== right || date !== right.slice(0, 10)) wrong.push(`${clock}, ${date} for ${right}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it("has the right start after the clock changed at 11:00, on 1931-10-03", async () => {
    expect(wrongDays(await load(), "1931-10-01", "1931-10-05")).toEqual([])
  })

  it("has 23 hours at the start of summer time, 25 at its end, and 24 otherwise", async () => {
    const time = await load()
    const lengths = new Map<number, number>()
    for (let day = Date.parse("1985-01-01") / dayMs; day < Date.parse("2020-01-01") / dayMs; day++) {
      const hours = (time.endOfBrasiliaDay(toDate(day)) + 1 - time.startOfBrasiliaDay(toDate(day))) / hourMs
      lengths.set(hours, (lengths.get(hours) ?? 0) + 1)
    }
    expect([...lengths.keys()].toSorted()).toEqual([23, 24, 25])
    expect([lengths.get(23), lengths.get(25)]).toEqual([34, 34])
  })
})

it("brasiliaHour returns the first instant at which the clock shows the hour", () => {
  const wrong: Array<string> = []
  for (let day = Date.parse("1985-01-01") / dayMs; day < Date.parse("2020-01-01") / dayMs; day++) {
    const date = toDate(day)
    const length = endOfBrasiliaDay(date) + 1 - startOfBrasiliaDay(date)
    if (length === dayMs && day % 50 > 0) continue
    for (let hour = 1; hour < 24; hour++) {
      const at = brasiliaHour(date, hour)
      const right = `${date}T${String(hour).padStart(2, "0")}:00:00.000`
      if (wallClock(at) !== right || wallClock(at - hourMs) === right) wrong.push(`${wallClock(at)} for ${right}`)
    }
  }
  expect(wrong).toEqual([])
})

it("brasiliaWallClock shows solar time before 1914", async () => {
  const time = await load()
  for (const text of [
    "1900-06-15T03:00:00.000Z",
    "1900-06-15T03:06:27.999Z",
    "1900-06-15T03:06:28.000Z",
    "1913-12-31T15:00:00.500Z",
  ]) {
    expect(time.brasiliaWallClock(Date.parse(text))).toBe(wallClock(Date.parse(text)))
  }
})

const onHost = (zone: string): void => {
  let time: BrasiliaTime
  beforeEach(async () => {
    setHostZone(zone)
    time = await load()
  })

  it("the host's local time is that of the zone", () => {
    const elsewhere = new Date(2026, 6, 1, 12).getTime()
    const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
    expect(shown.format(elsewhere)).toBe("2026-07-01 12:00")
  })

  it("every day from 1985 to 2019 has the right start and end", () => {
    expect(wrongDays(time, "1985-01-01", "2020-01-01")).toEqual([])
  })

  it("every day from 2020 to 2099 has the right start and end", { tags: ["long"] }, () => {
    expect(wrongDays(time, "2020-01-01", "2099-12-31")).toEqual([])
  })

  it.each([
    ["2018-11-03", "2018-11-03T03:00:00.000Z", "2018-11-04T02:59:59.999Z", "the day before summer time"],
    [
      "2018-11-04",
      "2018-11-04T03:00:00.000Z",
      "2018-11-05T01:59:59.999Z",
      "midnight was skipped, so the day began at 01:00",
    ],
    [
      "2019-02-16",
      "2019-02-16T02:00:00.000Z",
      "2019-02-17T02:59:59.999Z",
      "its last hour came twice, and the second time ended the day",
    ],
    ["2019-02-17", "2019-02-17T03:00:00.000Z", "2019-02-18T02:59:59.999Z", "the day after summer time"],
    ["2026-11-20", "2026-11-20T03:00:00.000Z", "2026-11-21T02:59:59.999Z", "no summer time any more"],
  ])("%s runs from %s to %s: %s", (text, start, end) => {
    expect(new Date(time.startOfBrasiliaDay(text as LocalDate)).toISOString()).toBe(start)
    expect(new Date(time.endOfBrasiliaDay(text as LocalDate)).toISOString()).toBe(end)
  })

  it("is right on an earlier day that is requested after a later day", () => {
    expect(new Date(time.startOfBrasiliaDay("1981-03-20" as LocalDate)).toISOString()).toBe("1981-03-20T03:00:00.000Z")
    expect(new Date(time.startOfBrasiliaDay("1970-01-01" as LocalDate)).toISOString()).toBe("1970-01-01T03:00:00.000Z")
  })

  it.each([
    ["2019-02-17T01:59:59.999Z", "2019-02-16T23:59:59.999", "before the clock went back"],
    ["2019-02-17T02:00:00.000Z", "2019-02-16T23:00:00.000", "when it went back"],
    ["2019-02-17T02:59:59.999Z", "2019-02-16T23:59:59.999", "the same hour again"],
    ["2018-11-04T02:59:59.999Z", "2018-11-03T23:59:59.999", "before the clock went forward"],
    ["2018-11-04T03:00:00.000Z", "2018-11-04T01:00:00.000", "when it went forward"],
    ["2026-11-20T02:59:59.999Z", "2026-11-19T23:59:59.999", "a night of today"],
    ["2026-11-20T15:04:05.007Z", "2026-11-20T12:04:05.007", "a day of today"],
    ["2026-11-20T15:04:05.100Z", "2026-11-20T12:04:05.100", "a tenth of a second"],
    ["1969-12-31T23:59:59.999Z", "1969-12-31T20:59:59.999", "before 1970"],
  ])("at %s the clock shows %s: %s", (instant, shown) => {
    expect(time.brasiliaWallClock(Date.parse(instant))).toBe(shown)
    expect(time.brasiliaDate(Date.parse(instant))).toBe(shown.slice(0, 10))
  })
}

describe.each(["UTC", "America/Sao_Paulo", "America/New_York", "Pacific/Apia"])("on a host in %s", onHost)
// More zones, only in long runs.
describe.each([
  "America/Noronha",
  "Pacific/Kiritimati",
  "Australia/Lord_Howe",
  "Africa/Cairo",
  "Asia/Kolkata",
  "Asia/Tehran",
  "Europe/London",
])("on a host in %s", { tags: ["long"] }, onHost)

it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 8.64e15])(
  "rejects %d, which is no instant of a JavaScript date",
  async (instant) => {
    const time = await load()
    expect(() => time.brasiliaDate(instant)).toThrow(RangeError)
    expect(() => time.brasiliaWallClock(instant)).toThrow(RangeError)
  },
)

it("startOfBrasiliaDay throws for a string that isn't a date", async () => {
  const time = await load()
  expect(() => time.startOfBrasiliaDay("today" as LocalDate)).toThrow(RangeError)
  expect(() => time.endOfBrasiliaDay("" as LocalDate)).toThrow(RangeError)
})
