import { addDays, brasiliaDate, brasiliaHour } from "@pixcharge/core/calendar"

/** After the attempts of the night, once charges of cycles are made, and after the attempts of the evening. */
const hours = [8, 9, 21] as const
const afterMs = 600_000

/**
 * The moments between two at which a host that is up sees what became of debits, and charges cycles: 08:10, 09:10 and 21:10 of each
 * day in Brasília. Epoch milliseconds.
 */
export const stopsOnTheWay = (from: number, until: number): ReadonlyArray<number> => {
  const stops: Array<number> = []
  for (let day = brasiliaDate(from); day <= brasiliaDate(until); day = addDays(day, 1)) {
    stops.push(...hours.map((hour) => brasiliaHour(day, hour) + afterMs).filter((at) => at > from && at < until))
  }
  return stops
}
