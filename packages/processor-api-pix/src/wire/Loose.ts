import { type Cents, centsFromDecimal, centsFromReais, isCents } from "@pixcharge/core/money"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

/**
 * Values as banks write them. The central bank's own examples contradict its types (numbers as text, an object where a
 * list belongs), and banks copied them: every form with one meaning is read.
 */

/** A value that `read` understands; undefined is no value. */
const scalar = <A>(to: Schema.Codec<A>, expected: string, read: (value: unknown) => A | undefined) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(to, {
      decode: SchemaGetter.transformEffect((value: unknown, options) => {
        const understood = read(value)
        return understood === undefined
          ? Effect.fail(new SchemaIssue.InvalidValue({ expected }, value, options))
          : Effect.succeed(understood)
      }),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )

/** The text that a value is, or a number's; undefined for any other value. */
export const asText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined

/** A text, or a number written as one. */
export const Text = scalar(Schema.String, "a text", asText)

const wholeNumber = /^\d{1,15}$/

/** A whole number from 0, or its digits as a text. */
export const Count = scalar(Schema.Number, "a whole number", (value) => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  return typeof value === "string" && wholeNumber.test(value) ? Number(value) : undefined
})

const CentsSchema = Schema.declare((value): value is Cents => typeof value === "number" && isCents(value))
const amount = /^(\d{1,10})(?:[.,](\d{1,2}))?$/

const centsFromText = (text: string): Result.Result<Cents, unknown> => {
  const [, whole = "", decimals = ""] = amount.exec(text) ?? []
  return centsFromDecimal(`${whole}.${decimals.padEnd(2, "0")}`)
}

/** `\d{1,10}\.\d{2}`, also as a number, with a comma, or with decimals missing; never rounded. */
export const Amount = scalar(CentsSchema, "an amount", (value) => {
  if (typeof value === "string") return Result.getOrUndefined(centsFromText(value))
  return typeof value === "number" ? Result.getOrUndefined(centsFromReais(value)) : undefined
})

const zoned = /(?:[zZ]|[+-]\d{2}:?\d{2})$/

/** RFC 3339 to epoch milliseconds. A bank that leaves the zone out means UTC, whatever the host's own zone is. */
export const Instant = scalar(Schema.Number, "an instant", (value) => {
  if (typeof value !== "string") return undefined
  const text = zoned.test(value) ? value : `${value}Z`
  return Option.getOrUndefined(Option.map(DateTime.make(text), DateTime.toEpochMillis))
})

/** API Pix lists at most 1 000 payments on a page (`itensPorPagina`); a bank that cuts no pages lists all at once. */
const mostItems = 10_000

/** A list, or its only element by itself. It is counted before any element is looked at. */
export const looseList = <A, E>(item: Schema.Codec<A, E>) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Array(item), {
      decode: SchemaGetter.transformEffect((value: unknown, options) => {
        const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
        return items.length > mostItems
          ? Effect.fail(new SchemaIssue.InvalidValue({ expected: `at most ${mostItems} elements` }, value, options))
          : Effect.succeed(items as ReadonlyArray<E>)
      }),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )

/** The fields of an object that are there: some banks write `null` for one that is absent. */
const presentFields = (value: object, names: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const field: unknown = Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined
      return field === undefined || field === null ? [] : [[name, field]]
    }),
  )

/** An object of which only these fields are looked at. */
export const looseStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const names = Object.keys(fields)
  const struct = Schema.Struct(fields)
  return Schema.Unknown.pipe(
    Schema.decodeTo(struct, {
      decode: SchemaGetter.transformEffect((value: unknown, options) =>
        Predicate.isObject(value)
          ? Effect.succeed(presentFields(value, names) as (typeof struct)["Encoded"])
          : Effect.fail(new SchemaIssue.InvalidValue({ expected: "an object" }, value, options)),
      ),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )
}

/** The value of a JSON text; none for any other text. */
export const parseJson = Option.liftThrowable((text: string): unknown => JSON.parse(text))
