import { brasiliaDate, brasiliaWallClock, startOfBrasiliaDay } from "../calendar/BrasiliaTime.ts"
import { addDays, type LocalDate } from "../calendar/LocalDate.ts"
import type { Period } from "../runtime/page/Period.ts"

const hourMs = 3_600_000

/** An hour, or the part of one that lies in a period. */
export interface Slot {
  /** Epoch milliseconds. */
  readonly from: number
  /** In Brasília. */
  readonly date: LocalDate
  /** In Brasília, 0 to 23. */
  readonly hour: number
}

/** When the next hour begins in Brasília, or the next day. */
const nextHour = (at: number, date: LocalDate): number => {
  const start = startOfBrasiliaDay(date)
  const hour = start + (Math.floor((at - start) / hourMs) + 1) * hourMs
  return Math.min(hour, startOfBrasiliaDay(addDays(date, 1)))
}

/** The hours of a period in Brasília, oldest first; none of an empty one. */
export const periodSlots = ({ from, until }: Period): ReadonlyArray<Slot> => {
  const slots: Array<Slot> = []
  for (let at = from; at < until;) {
    const date = brasiliaDate(at)
    slots.push({ from: at, date, hour: Number(brasiliaWallClock(at).slice(11, 13)) })
    at = nextHour(at, date)
  }
  return slots
}
