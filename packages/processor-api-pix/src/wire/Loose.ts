import { type Cents, centsFromDecimal, centsFromReais, isCents } from "@pixcharge/core/money"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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

/** A text, or a number written as one. */
export const Text = scalar(Schema.String, "a text", (value) =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined,
)

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

/** A list, or its only element by itself. */
export const looseList = <A, E>(item: Schema.Codec<A, E>) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(Schema.Array(item), {
      decode: SchemaGetter.transform((value: unknown) => (Array.isArray(value) ? value : [value]) as Array<E>),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )

/** JSON in which `null` stands for an absent field, as some banks write it; none for any other text. */
export const parseJson = Option.liftThrowable((text: string): unknown =>
  JSON.parse(text, (_, value: unknown) => (value === null ? undefined : value)),
)
