import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { toText } from "./Loose.ts"
import { maxClaims } from "./Webhook.ts"

/** What a notice of Pix Automático names: ids to look up at the bank, and nothing that is believed. */
export interface RecurrenceNotice {
  /** Of recurrences (`idRec`). */
  readonly bankIds: ReadonlyArray<string>
  /** Of cycles' charges, in small letters. */
  readonly txids: ReadonlyArray<string>
  /** What of the notice is about payments. */
  readonly others: ReadonlyArray<unknown>
}

const bankIdForm = /^[a-zA-Z0-9]{29}$/
const txidForm = /^[a-zA-Z0-9]{26,35}$/

const listOf = (body: unknown, field: string): ReadonlyArray<unknown> => {
  const value = Predicate.isObject(body) ? body[field] : undefined
  return Array.isArray(value) ? value : Predicate.isNullish(value) ? [] : [value]
}

const readId = (element: unknown, field: string, form: RegExp): ReadonlyArray<string> => {
  const id = Predicate.isObject(element) ? toText(element[field]) : undefined
  return id !== undefined && form.test(id) ? [id] : []
}

const isOfRecurrences = (body: unknown): boolean =>
  Predicate.isObject(body) && (Object.hasOwn(body, "recs") || Object.hasOwn(body, "cobsr"))

const isOfPayments = (body: unknown): boolean =>
  !isOfRecurrences(body) ||
  (Predicate.isObject(body) && (Object.hasOwn(body, "pix") || Object.hasOwn(body, "endToEndId")))

/**
 * Reads `{recs: [...]}` and `{cobsr: [...]}`, or a list of such, also beside payments; undefined for a notice of payments alone. What has no id is passed over: the
 * checks of a recurrence find without a notice, too, what it would have told. Elements are counted before the first is read.
 */
export const readRecurrenceNotice = (json: unknown): Result.Result<RecurrenceNotice, "tooMany"> | undefined => {
  const bodies: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  if (bodies.length > maxClaims) return bodies.some(isOfRecurrences) ? Result.fail("tooMany") : undefined
  const own = bodies.filter(isOfRecurrences)
  if (own.length === 0) return undefined
  const recurrences = own.flatMap((body) => listOf(body, "recs"))
  const cycles = own.flatMap((body) => listOf(body, "cobsr"))
  if (recurrences.length + cycles.length > maxClaims) return Result.fail("tooMany")
  const txids = cycles.flatMap((element) => readId(element, "txid", txidForm))
  return Result.succeed({
    bankIds: [...new Set(recurrences.flatMap((element) => readId(element, "idRec", bankIdForm)))],
    txids: [...new Set(txids.map((txid) => txid.toLowerCase()))],
    others: bodies.filter(isOfPayments),
  })
}
