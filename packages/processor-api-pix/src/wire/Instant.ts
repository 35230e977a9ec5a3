import { brasiliaDate, parseLocalDate } from "@pixcharge/core/calendar"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { scalar, toText } from "./Reader.ts"

/**
 * RFC 3339, but a space can replace the `T`, seconds and zone can be missing, and there can be up to twelve decimals.
 */
const instantForm = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,12}))?(Z|[+-]\d\d(?::?\d\d)?)?$/i

/** The start of 2020, Pix's first year. Earlier instants are placeholders (0001-01-01, 1900-01-01, 1970-01-01). */
const earliest = 1_577_836_800_000

const offset = /^([+-]\d\d):?(\d\d)?$/

const isoZone = (zone = "Z"): string =>
  zone.toUpperCase().replace(offset, (_, hours, minutes = "00") => `${hours}:${minutes}`)

/**
 * Parses an instant to epoch milliseconds; undefined for any other string. An instant without a zone is read as UTC,
 * like the central bank's examples.
 */
export const readInstant = (text: string): number | undefined => {
  const [, day, time, decimals = "0", zone] = instantForm.exec(text) ?? []
  if (day === undefined || Result.isFailure(parseLocalDate(day))) return undefined
  const clock = time?.length === 5 ? `${time}:00` : time
  const iso = `${day}T${clock}.${decimals.slice(0, 3)}${isoZone(zone)}`
  const instant = Option.getOrUndefined(Option.map(DateTime.make(iso), DateTime.toEpochMillis))
  return instant === undefined || instant < earliest ? undefined : instant
}

/** An instant in epoch milliseconds. */
export const Instant = scalar(Schema.Number, (value) => (typeof value === "string" ? readInstant(value) : undefined))

const midnight = /^00:00(?::00)?$/

/**
 * Midnight means the written day, in any zone. Any other instant means its day in Brasília, because some banks write
 * the last second of a day in UTC.
 */
const dayOfInstant = (text: string): string | undefined => {
  const [, day, time = "", , zone] = instantForm.exec(text) ?? []
  const instant = readInstant(text)
  if (day === undefined || instant === undefined) return undefined
  return zone === undefined || midnight.test(time) ? day : brasiliaDate(instant)
}

/** A due date, `YYYY-MM-DD`. An instant becomes its day; any other string stays unchanged. */
export const Day = scalar(Schema.String, (value) => {
  const text = toText(value)
  return text === undefined ? undefined : (dayOfInstant(text) ?? text)
})

/** Writes an instant by RFC 3339 in UTC and whole seconds, because some banks reject fractions. */
export const instantText = (epochMs: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(Math.floor(epochMs / 1000) * 1000)).replace(".000Z", "Z")

/** The kinds of instants that a bank writes in Brasília's time without Brasília's zone. */
export interface LocalInstants {
  readonly zoneless: boolean
  /** Instants with the mark `Z`. */
  readonly marked: boolean
  /**
   * If an instant would be later than this as Brasília's time, it stays UTC, because the bank then writes real UTC.
   * Epoch milliseconds.
   */
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
