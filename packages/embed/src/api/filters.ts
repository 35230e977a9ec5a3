import {
  type DeliveryStatus,
  InvalidFilter,
  isStorableMoment,
  isStorableText,
  type Page,
  type PageRequest,
  type Period,
} from "@pixcharge/core"
import { parseLocalDate } from "@pixcharge/core/calendar"
import { type ChargeStatus, chargeStatuses, type ExceptionStatus, parseChargeId } from "@pixcharge/core/charges"
import {
  anObject,
  type Fields,
  isEndToEndId,
  oneOf,
  type OptionRule,
  required,
  unknownField,
} from "@pixcharge/core/internal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { RecurrenceStatus } from "./RecurrenceFacts.ts"

/** Selects the charges created within the period; each other field narrows them. */
export interface ChargeFilter extends Period {
  readonly status?: ChargeStatus | undefined
  /** Lowest and highest amount in cents, both included, each optional. */
  readonly amount?: { readonly minCents?: number | undefined; readonly maxCents?: number | undefined } | undefined
  /** First and last due date (`YYYY-MM-DD`), both included. Charges without a due date never match. */
  readonly due?: { readonly from: string; readonly until: string } | undefined
  /** The period of the payment that settled the charge. */
  readonly paid?: Period | undefined
  /**
   * At most 200 characters: the whole reference; from 2 characters on, the beginning of words of the payer's name, in order, in
   * any case, with or without accents (`maria sant` and `santos` find Maria José dos Santos); the payer's whole tax id, with or
   * without punctuation; the charge's amount, or the amount of a payment made within the period, as `1.234,56`; or, from 8
   * characters on, the beginning of the charge's id, txid or transaction id, or of a payment's endToEndId.
   */
  readonly text?: string | undefined
}

/** Selects the exceptions whose payment was made within the period; `status` narrows them. */
export interface ExceptionFilter extends Period {
  /** `returned` once the whole payment was returned, by us or elsewhere. */
  readonly status?: ExceptionStatus | undefined
}

export type FilterFields = Readonly<Record<string, OptionRule>>

const text: OptionRule = {
  mustBe: "a text without NUL and without half of a surrogate pair",
  holds: (value) => typeof value === "string" && isStorableText(value),
}

const makeShortText = (min: number, max: number): OptionRule => ({
  mustBe: `a text of ${min} to ${max} characters`,
  holds: (value) => text.holds(value) && String(value).trim().length >= min && String(value).length <= max,
})

const moment: OptionRule = {
  mustBe: "a moment in epoch milliseconds",
  holds: (value) => typeof value === "number" && isStorableMoment(value),
}

const period: OptionRule = {
  mustBe: "from and until in epoch milliseconds",
  holds: (value) =>
    anObject.holds(value) && ["from", "until"].every((end) => moment.holds(Reflect.get(Object(value), end))),
}

const periodFields = { from: required(moment), until: required(moment) }

/** Takes the names as an object: TypeScript then refuses a list that lacks a name. */
const oneOfAll = <Name extends string>(names: Readonly<Record<Name, true>>): OptionRule => oneOf(...Object.keys(names))

const deliveryStatus = oneOfAll<DeliveryStatus>({ waiting: true, delivered: true, dead: true, superseded: true })

export const deliveryFields: FilterFields = { status: deliveryStatus, endpointId: text, chargeId: text, period }

export const selectionFields: FilterFields = { ...deliveryFields, eventId: text }

export const replayFields: FilterFields = { name: makeShortText(1, 100) }

export const auditFields: FilterFields = { kind: text, by: text, period, chargeId: text, endToEndId: text }

export const recurrenceFields: FilterFields = {
  status: oneOfAll<RecurrenceStatus>({ requested: true, offered: true, approved: true, ending: true, ended: true }),
  payer: text,
  text: makeShortText(1, 200),
}

const pageFields: FilterFields = {
  cursor: text,
  limit: { mustBe: "a number", holds: (value) => typeof value === "number" && !Number.isNaN(value) },
}

const isCents = (value: unknown): boolean => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)

const amount: OptionRule = {
  mustBe: "minCents and maxCents in whole cents",
  holds: (value) =>
    anObject.holds(value) && ["minCents", "maxCents"].every((end) => isCents(Reflect.get(Object(value), end))),
}

const isDay = (value: unknown): boolean => typeof value === "string" && Result.isSuccess(parseLocalDate(value))

const days: OptionRule = {
  mustBe: "from and until as YYYY-MM-DD",
  holds: (value) => anObject.holds(value) && ["from", "until"].every((end) => isDay(Reflect.get(Object(value), end))),
}

const chargeFields: FilterFields = {
  ...periodFields,
  amount,
  due: days,
  paid: period,
  status: oneOf(...chargeStatuses),
  text: makeShortText(1, 200),
}

const exceptionFields: FilterFields = {
  ...periodFields,
  status: oneOf("open", "refunding", "returned", "resolved"),
}

const receiptId: OptionRule = {
  mustBe: "the ID on the payer's receipt: E and 31 more letters and digits",
  holds: isEndToEndId,
}

const names: FilterFields = { eventId: required(text), endpointId: required(text), endToEndId: required(text) }

const ends: Fields = { from: true, until: true }
const parts: Fields = { period: ends, paid: ends, due: ends, amount: { minCents: true, maxCents: true } }

const plainFields = (known: FilterFields): Fields =>
  Object.fromEntries(Object.keys(known).map((name) => [name, parts[name] ?? true]))

const failNoObject = (given: string) => new InvalidFilter({ field: given, rule: "an object" })

const check = <A extends object>(
  known: FilterFields,
  filter: A | null,
  what = "filter",
): Effect.Effect<A, InvalidFilter> => {
  const given = filter ?? ({} as A)
  if (!anObject.holds(given)) return failNoObject(what)
  const unknown = unknownField(given, plainFields(known))
  if (unknown !== undefined) {
    return new InvalidFilter({ field: what, rule: `an object of known fields: ${unknown}` })
  }
  for (const [field, { mustBe, holds, isRequired }] of Object.entries(known)) {
    const value: unknown = Reflect.get(given, field)
    const isSound = value === undefined ? isRequired !== true : holds(value)
    if (!isSound) return new InvalidFilter({ field, rule: mustBe })
  }
  return Effect.succeed(given)
}

export const checkFilter = <A extends object>(
  filter: A | null,
  fields: FilterFields,
  what?: string,
): Effect.Effect<A, InvalidFilter> => check(fields, filter, what)

export const checkPage = (page: Partial<PageRequest> | null): Effect.Effect<Partial<PageRequest>, InvalidFilter> =>
  check(pageFields, page, "page")

export const checkNames = <A extends Readonly<Partial<Record<"eventId" | "endpointId" | "endToEndId", string>>>>(
  given: A,
): Effect.Effect<A, InvalidFilter> =>
  check(Object.fromEntries(Object.entries(names).filter(([name]) => Object.hasOwn(given, name))), given)

/** Receipts have blanks between groups of characters. */
export const checkReceiptId = (given: string): Effect.Effect<string, InvalidFilter> => {
  const endToEndId = typeof given === "string" ? given.replace(/\s/g, "") : given
  return Effect.map(check({ endToEndId: required(receiptId) }, { endToEndId }), (checked) => checked.endToEndId)
}

export const checkExceptionFilter = (filter: ExceptionFilter): Effect.Effect<ExceptionFilter, InvalidFilter> =>
  check(exceptionFields, filter)

export const checkPeriod = (given: Period): Effect.Effect<Period, InvalidFilter> =>
  Effect.map(check(periodFields, given, "period"), ({ from, until }) => ({ from, until }))

export const checkChargeFilter = (filter: ChargeFilter): Effect.Effect<ChargeFilter, InvalidFilter> =>
  check(chargeFields, filter)

export const parseFilter = <A extends { readonly chargeId?: string }>(filter: A, fields: FilterFields) =>
  Effect.flatMap(checkFilter(filter, fields), ({ chargeId, ...rest }) =>
    chargeId === undefined
      ? Effect.succeed(rest)
      : Effect.map(Effect.fromResult(parseChargeId(chargeId)), (id) => ({ ...rest, chargeId: id })),
  )

const pageSize = 500

export const pageRequest = ({ limit = pageSize, cursor }: Partial<PageRequest> = {}): PageRequest => ({
  limit,
  ...(cursor !== undefined && { cursor }),
})

export async function* pages<A>(read: (page: PageRequest) => Promise<Page<A>>): AsyncGenerator<A, void> {
  let page: Page<A> = await read(pageRequest())
  yield* page.items
  while (page.cursor !== undefined) {
    page = await read(pageRequest({ cursor: page.cursor }))
    yield* page.items
  }
}

export const mapPage = <A, B>({ items, ...page }: Page<A>, plain: (item: A) => B): Page<B> => ({
  ...page,
  items: items.map(plain),
})
