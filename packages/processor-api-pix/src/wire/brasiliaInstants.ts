import * as Predicate from "effect/Predicate"
import { instantForm, readInstant } from "./Instant.ts"

/** Which instants of an answer are in Brasília's time, though they don't say so. */
export interface LocalInstants {
  /** Those without a zone. */
  readonly zoneless: boolean
  /** Those marked `Z`. */
  readonly marked: boolean
  /** What would be later, in epoch milliseconds, was UTC as it says: the bank has mended its clock. */
  readonly latest?: number
}

/** Brasília has kept UTC-3 since 2019, before Pix began. */
const zone = "-03:00"

const isAfter = (text: string, latest = Infinity): boolean => (readInstant(text) ?? -Infinity) > latest

const addZone = (text: string, { zoneless, marked, latest }: LocalInstants): string => {
  const found = instantForm.exec(text)
  if (found === null) return text
  const [, , , , written] = found
  if (written === undefined) return zoneless ? `${text}${zone}` : text
  if (!marked || written.toUpperCase() !== "Z") return text
  const local = `${text.slice(0, -1)}${zone}`
  return isAfter(local, latest) ? text : local
}

/** Deeper than any field that is read; beyond it nothing is looked at. */
const maxLevels = 16

const convert = (json: unknown, local: LocalInstants, levels: number): unknown => {
  if (typeof json === "string") return addZone(json, local)
  if (levels === 0) return json
  if (Array.isArray(json)) return json.map((item) => convert(item, local, levels - 1))
  return Predicate.isObject(json)
    ? Object.fromEntries(Object.entries(json).map(([name, field]) => [name, convert(field, local, levels - 1)]))
    : json
}

/** An answer whose instants name their zone, for banks that write Brasília's time without one, or as if it were UTC. */
export const brasiliaInstants = (json: unknown, local: LocalInstants): unknown => convert(json, local, maxLevels)
