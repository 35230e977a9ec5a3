import { parseLocalDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import * as Result from "effect/Result"

/** Which instants of an answer are in Brasília's time. */
export interface BrasiliaInstants {
  /** Those without a zone. */
  readonly zoneless: boolean
  /** Those that are marked as UTC. */
  readonly marked: boolean
}

const clockForm = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d*)?)?(Z?)$/i

const inUtc = (text: string, { zoneless, marked }: BrasiliaInstants): string => {
  const [, day, hours, minutes, seconds = "0", fraction = "", mark = ""] = clockForm.exec(text) ?? []
  if (day === undefined || !(mark === "" ? zoneless : marked)) return text
  const date = Result.getOrUndefined(parseLocalDate(day))
  if (date === undefined) return text
  const elapsed = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return new Date(startOfBrasiliaDay(date) + elapsed + Number(fraction.padEnd(3, "0"))).toISOString()
}

/** An answer with all its instants in UTC, for banks that write Brasília's time. */
export const withUtcInstants = (json: unknown, which: BrasiliaInstants): unknown => {
  if (typeof json === "string") return inUtc(json, which)
  if (Array.isArray(json)) return json.map((item) => withUtcInstants(item, which))
  return typeof json === "object" && json !== null
    ? Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withUtcInstants(value, which)]))
    : json
}
