import { addBusinessDays, isBusinessDay } from "@brazilian-utils/brazilian-utils"
import { addDays, type LocalDate, nationalBankHolidays, nextBusinessDay } from "@pixcharge/core/calendar"
import { chargeExpiry } from "@pixcharge/core/charges"
import { compareRounds, type Ratio } from "./compareRounds.ts"
import { measure } from "./measure.ts"
import { nameWithVersion } from "./nameWithVersion.ts"

const daysFrom = (first: string, count: number): ReadonlyArray<LocalDate> =>
  Array.from({ length: count }, (_, index) => addDays(first as LocalDate, index))

const days = daysFrom("2020-01-01", 5844)

/** The same days for the peer, which needs a `Date`: at noon, local time. Making them isn't measured. */
const noons = days.map((day) => new Date(`${day}T12:00:00`))

const byUs = (): number => {
  let sum = 0
  for (const day of days) sum += nextBusinessDay(day).charCodeAt(9)
  return sum
}

/** The peer has no function for the next business day, so this combines two of its functions. */
const byPeer = (): number => {
  let sum = 0
  for (const noon of noons) sum += ((isBusinessDay(noon) ? noon : addBusinessDays(noon, 1)) ?? noon).getDate()
  return sum
}

const nextBusinessDays = (): Ratio => {
  const [ours = [], theirs = []] = measure([byUs, byPeer], days.length)
  return {
    what: "next business day, of every day from 2020 to 2035",
    peer: nameWithVersion("@brazilian-utils/brazilian-utils"),
    ...compareRounds(ours, theirs),
    goal: 2,
  }
}

/** Every due date that is possible on one day: five years. */
const dueDates = daysFrom("2026-11-20", 1826)

const expiries = (): number => {
  let sum = 0
  for (const dueDate of dueDates)
    sum += chargeExpiry({ createdAt: 0, dueDate, graceDays: 5, holidays: nationalBankHolidays }).payableUntil % 1000
  return sum
}

/** The goal if there is no peer: a million calls a second, which is 1000 ns per call. */
const millionASecond = 1000

const payableUntils = (): Ratio => {
  const [ours = []] = measure([expiries], dueDates.length)
  return { what: "payableUntil", peer: "a million a second", ...compareRounds(ours, millionASecond), goal: 1 }
}

export const calendar = (): ReadonlyArray<Ratio> => [nextBusinessDays(), payableUntils()]
