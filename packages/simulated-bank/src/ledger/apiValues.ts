import type { LocalDate } from "@pixcharge/core/calendar"
import type { Cents } from "@pixcharge/core/money"

export type Periodicity = "SEMANAL" | "MENSAL" | "TRIMESTRAL" | "SEMESTRAL" | "ANUAL"

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Brasília has kept UTC-3 since 2019. */
const behindUtc = 3

const utc = (day: string): Date => new Date(`${day}T00:00:00Z`)
const write = (at: number): LocalDate => new Date(at).toISOString().slice(0, 10) as LocalDate

export const dayAt = (at: number): LocalDate => write(at - behindUtc * hourMs)

export const instantOn = (day: string, hour: number): number => utc(day).getTime() + (hour + behindUtc) * hourMs

/** The last millisecond of a day in Brasília. */
export const endOfDay = (day: string): number => instantOn(day, 24) - 1

export const addDays = (day: string, count: number): LocalDate => write(utc(day).getTime() + count * dayMs)

export const daysBetween = (from: string, to: string): number => (utc(to).getTime() - utc(from).getTime()) / dayMs

/** Adds months to a day. If the month has no such day, returns its last day. */
const addMonths = (day: string, count: number): LocalDate => {
  const from = utc(day)
  const month = from.getUTCMonth() + count
  const last = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return write(Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), last)))
}

const monthsEach = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 }

const cycleStart = (origin: string, period: Periodicity, cycle: number): LocalDate =>
  period === "SEMANAL" ? addDays(origin, 7 * cycle) : addMonths(origin, monthsEach[period] * cycle)

/** The index of a day's cycle, from 0; undefined before the first cycle. */
export const findCycle = (origin: string, period: Periodicity, day: string): number | undefined => {
  if (day < origin) return undefined
  let cycle = 0
  while (cycleStart(origin, period, cycle + 1) <= day) cycle += 1
  return cycle
}

/** Easter by the algorithm of Meeus, Jones and Butcher. */
const easter = (year: number): LocalDate => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114
  return write(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1))
}

const fixedHolidays = new Set(["01-01", "04-21", "05-01", "09-07", "10-12", "11-02", "11-15", "11-20", "12-25"])
/** The days from Easter to Carnival's Monday and Tuesday, Good Friday and Corpus Christi. */
const daysFromEaster = new Set([-48, -47, -2, 60])

const isBusinessDay = (day: string): boolean => {
  const [saturday, sunday] = [6, 0]
  const weekday = utc(day).getUTCDay()
  if (weekday === saturday || weekday === sunday || fixedHolidays.has(day.slice(5))) return false
  return !daysFromEaster.has(daysBetween(easter(Number(day.slice(0, 4))), day))
}

/** The day itself, or the first business day after it. */
export const businessDayFrom = (day: LocalDate): LocalDate =>
  isBusinessDay(day) ? day : businessDayFrom(addDays(day, 1))

export const decimal = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

export const parseCents = (text: string): Cents => Number(text.replace(".", "")) as Cents

export const instant = (at: number): string => new Date(at).toISOString()
