import { toEpochDay, type LocalDate, fromEpochDay } from "./LocalDate.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Made at its first use: it takes 15 ms. */
let clock: Intl.DateTimeFormat | undefined

/** The clock has never changed between 15:00 UTC, usually Brasília's noon, and noon. */
const brasiliaNoon = (epochDay: number): number => {
  clock ??= new Intl.DateTimeFormat("pt-BR", { timeZone: "America/Sao_Paulo", timeStyle: "medium", hourCycle: "h23" })
  const epochMs = epochDay * dayMs + 15 * hourMs
  return epochMs + dayMs / 2 - Date.parse(`1970-01-01T${clock.format(epochMs)}Z`)
}

/** Brazil's clocks change at midnight, so the later result is right. */
const findStart = (epochDay: number): number =>
  Math.max(brasiliaNoon(epochDay - 1) + dayMs / 2, brasiliaNoon(epochDay) - dayMs / 2)

/** Cached starts of days. A fixed offset can't replace them, because a law can bring clock changes back. */
const slots = 4096
const keptDays = new Int32Array(slots)
const keptStarts = new Float64Array(slots).fill(Number.NaN)

const dayStart = (epochDay: number): number => {
  const slot = epochDay & (slots - 1)
  const kept = keptStarts[slot] as number
  if (keptDays[slot] === epochDay && !Number.isNaN(kept)) return kept
  const start = findStart(epochDay)
  keptDays[slot] = epochDay
  keptStarts[slot] = start
  return start
}

/** Brasília's day is the day in UTC or the one before. */
const epochDayAt = (epochMs: number): number => {
  const inUtc = Math.floor(epochMs / dayMs)
  return epochMs < dayStart(inUtc) ? inUtc - 1 : inUtc
}

/**
 * The day in Brasília at an instant (epoch milliseconds). Throws a RangeError outside the years 0001 to 9999.
 *
 * @example
 * ```ts
 * import { brasiliaDate } from "@pixcharge/core/calendar"
 *
 * brasiliaDate(Date.UTC(2026, 10, 23, 2, 59)) // => "2026-11-22"
 * ```
 */
export const brasiliaDate = (epochMs: number): LocalDate => fromEpochDay(epochDayAt(epochMs))

/** The first instant of a day in Brasília, in epoch milliseconds: 00:00, or 01:00 if the clock skipped midnight. */
export const startOfBrasiliaDay = (date: LocalDate): number => dayStart(toEpochDay(date))

/**
 * The last instant of a day in Brasília, 23:59:59.999, in epoch milliseconds. If the clock went back, this time comes
 * twice, and the second one counts.
 *
 * @example
 * ```ts
 * import { endOfBrasiliaDay, parseLocalDate } from "@pixcharge/core/calendar"
 * import * as Result from "effect/Result"
 *
 * const day = Result.getOrThrow(parseLocalDate("2026-11-22"))
 * new Date(endOfBrasiliaDay(day)).toISOString() // => "2026-11-23T02:59:59.999Z"
 * ```
 */
export const endOfBrasiliaDay = (date: LocalDate): number => dayStart(toEpochDay(date) + 1) - 1

/** The first instant at which Brasília's clock shows a full hour of a day, in epoch milliseconds. */
export const brasiliaHour = (date: LocalDate, hour: number): number => {
  const [start, end] = [startOfBrasiliaDay(date), endOfBrasiliaDay(date) + 1]
  return Math.min(start + hour * hourMs, end - (24 - hour) * hourMs)
}

const pad2 = (n: number): string => (n < 10 ? `0${n}` : `${n}`)
const pad3 = (n: number): string => (n < 100 ? `0${pad2(n)}` : `${n}`)

/** The wall clock in Brasília at an instant (epoch milliseconds): `YYYY-MM-DDTHH:mm:ss.SSS`, no zone (decision 20). */
export const brasiliaWallClock = (epochMs: number): string => {
  const epochDay = epochDayAt(epochMs)
  const start = dayStart(epochDay)
  const elapsed = epochMs - start
  // +1 hour on a day of 23 hours, -1 hour on a day of 25 hours.
  const skipped = dayMs - (dayStart(epochDay + 1) - start)
  const shown = skipped > 0 || elapsed >= dayMs ? elapsed + skipped : elapsed
  const hours = pad2(Math.trunc(shown / hourMs))
  const minutes = pad2(Math.trunc(shown / 60_000) % 60)
  const seconds = pad2(Math.trunc(shown / 1000) % 60)
  return `${fromEpochDay(epochDay)}T${hours}:${minutes}:${seconds}.${pad3(shown % 1000)}`
}
