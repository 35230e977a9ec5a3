import { brasiliaDate, parseLocalDate } from "@pixcharge/core/calendar"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { scalar, toText } from "./Reader.ts"

/** RFC 3339, also with a space for the `T`, without seconds or zone, and with up to twelve decimals. */
const instantForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,12}))?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** Start of 2020, when Pix began. Earlier instants are placeholders (0001-01-01, 1900-01-01, 1970-01-01). */
const earliest = 1_577_836_800_000

const offset = /^([+-]\d\d):?(\d\d)?$/

const isoZone = (zone = "Z"): string =>
  zone.toUpperCase().replace(offset, (_, hours, minutes = "00") => `${hours}:${minutes}`)

/**
 * Parses an instant to epoch milliseconds; undefined for any other text. Without a zone it is UTC, like the central bank's
 * examples, unless a profile says otherwise.
 */
export const readInstant = (text: string): number | undefined => {
  const [, day, time, decimals = "0", zone] = instantForm.exec(text) ?? []
  if (day === undefined || Result.isFailure(parseLocalDate(day))) return undefined
  const clock = time?.length === 5 ? `${time}:00` : time
  const iso = `${day}T${clock}.${decimals.slice(0, 3)}${isoZone(zone)}`
  const instant = Option.getOrUndefined(Option.map(DateTime.make(iso), DateTime.toEpochMillis))
  return instant === undefined || instant < earliest ? undefined : instant
}

/** Epoch milliseconds. */
export const Instant = scalar(Schema.Number, (value) => (typeof value === "string" ? readInstant(value) : undefined))

const midnight = /^00:00(?::00)?$/

/**
 * Midnight means the written day, in any zone. Any other instant is a day in Brasília, because some banks write its last second
 * in UTC.
 */
const dayOfInstant = (text: string): string | undefined => {
  const [, day, time = "", , zone] = instantForm.exec(text) ?? []
  const instant = readInstant(text)
  if (day === undefined || instant === undefined) return undefined
  return zone === undefined || midnight.test(time) ? day : brasiliaDate(instant)
}

/** A due date, `YYYY-MM-DD`, also from an instant; any other text stays unchanged. */
export const Day = scalar(Schema.String, (value) => {
  const text = toText(value)
  return text === undefined ? undefined : (dayOfInstant(text) ?? text)
})

/** RFC 3339 in UTC, in whole seconds, because some banks reject fractions. */
export const instantText = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(Math.floor(epochMs / 1000) * 1000)).replace(".000Z", "Z")

/** Kinds of instants in Brasília's time without its zone. */
export interface LocalInstants {
  readonly zoneless: boolean
  /** Instants marked `Z`. */
  readonly marked: boolean
  /** A later instant stays UTC, because the bank has corrected its clock. Epoch milliseconds. */
  readonly latest?: number
}

/** Brasília has kept UTC-3 since 2019, before Pix began. */
const brasiliaZone = "-03:00"

const isAfter = (text: string, latest = Infinity): boolean => (readInstant(text) ?? -Infinity) > latest

const addZone = (text: string, { zoneless, marked, latest }: LocalInstants): string => {
  const found = instantForm.exec(text)
  if (found === null) return text
  const [, , , , written] = found
  if (written === undefined) return zoneless ? `${text}${brasiliaZone}` : text
  if (!marked || written.toUpperCase() !== "Z") return text
  const local = `${text.slice(0, -1)}${brasiliaZone}`
  return isAfter(local, latest) ? text : local
}

const maxLevels = 16

const convert = (json: unknown, local: LocalInstants, levels: number): unknown => {
  if (typeof json === "string") return addZone(json, local)
  if (levels === 0) return json
  if (Array.isArray(json)) return json.map((item) => convert(item, local, levels - 1))
  return Predicate.isObject(json)
    ? Object.fromEntries(Object.entries(json).map(([name, field]) => [name, convert(field, local, levels - 1)]))
    : json
}

/** Adds Brasília's zone to instants of banks that omit it or mark local time as UTC. */
export const brasiliaInstants = (json: unknown, local: LocalInstants): unknown => convert(json, local, maxLevels)
