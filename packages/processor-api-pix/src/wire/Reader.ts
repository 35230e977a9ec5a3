import { TaggedError } from "@pixcharge/core/internal"
import { centsFromDecimal, centsFromReais } from "@pixcharge/core/money"
import { Cents } from "@pixcharge/core/schema"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

/**
 * A bank's answer that can't be read. The error names the wrong fields, never a value, which can be a payer's.
 *
 * @remedy Report it to the bank, or describe its way of answering in a `PspProfile`.
 * @repeat Yes; it is of use only once the bank answers otherwise.
 */
export class UnreadableAnswer extends TaggedError("UnreadableAnswer")<{
  readonly fields: ReadonlyArray<string>
}> {
  override get message(): string {
    return `The bank's answer can't be read at ${this.fields.join(", ")}: it differs from API Pix.`
  }
}

export type Reader<A> = (json: unknown) => Result.Result<A, UnreadableAnswer>

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const nameSegment = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment)

export const makeReader = <W, A>(schema: Schema.Codec<W, unknown>, to: (wire: W) => A): Reader<A> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (json) =>
    Result.mapBoth(decode(json), {
      onSuccess: to,
      onFailure: ({ issue }) =>
        new UnreadableAnswer({
          fields: formatIssue(issue).issues.map(({ path }) => (path ?? []).map(nameSegment).join(".") || "(all)"),
        }),
    })
}

/** Ignores the body: banks return the resource, an empty object or an empty body. */
export const readNothing: Reader<undefined> = () => Result.succeed(undefined)

/** Reads an unreadable answer as undefined, because some banks return an empty or incomplete one. */
export const readShown =
  <A>(read: Reader<A>): Reader<A | undefined> =>
  (json) =>
    Result.succeed(Result.getOrUndefined(read(json)))

export interface Entries<A> {
  readonly read: ReadonlyArray<A>
  readonly flaws: ReadonlyArray<UnreadableAnswer>
}

/** Reads each element separately, so an unreadable element doesn't make the others unreadable. */
export const readEntries = <A>(elements: ReadonlyArray<unknown> = [], read: Reader<A>): Entries<A> => {
  const entries: { read: Array<A>; flaws: Array<UnreadableAnswer> } = { read: [], flaws: [] }
  for (const element of elements) {
    const one = read(element)
    if (Result.isSuccess(one)) entries.read.push(one.success)
    else entries.flaws.push(one.failure)
  }
  return entries
}

/**
 * The schemas below read values as banks write them. The central bank's own examples contradict its types (numbers as
 * strings, an object in place of a list), and banks copied them, so every unambiguous form is read. Fields about money
 * are read completely or not at all.
 */

/** A schema for the values that `read` understands. Fails if `read` returns undefined. */
export const scalar = <A>(to: Schema.Codec<A>, read: (value: unknown) => A | undefined) =>
  Schema.Unknown.pipe(
    Schema.decodeTo(to, {
      decode: SchemaGetter.transformEffect((value: unknown) => {
        const understood = read(value)
        return understood === undefined ? Effect.fail(new SchemaIssue.InvalidValue()) : Effect.succeed(understood)
      }),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )

/** A schema for a field that no rule needs: the field is absent if it can't be read. */
export const lenient = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownOption(schema)
  return Schema.optional(
    Schema.Unknown.pipe(
      Schema.decodeTo(
        Schema.declare((_value): _value is A | undefined => true),
        {
          decode: SchemaGetter.transform((value: unknown) => Option.getOrUndefined(decode(value))),
          encode: SchemaGetter.forbiddenEncoding,
        },
      ),
    ),
  )
}

export const toText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined

export const readFilled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

/** Trims the string, because banks' templates add blanks; undefined if it is empty. */
export const readTrimmed = (text: string | undefined): string | undefined => readFilled(text?.trim())

export const Text = scalar(Schema.String, toText)

const wholeNumber = /^\d{1,15}$/

/** A whole number from 0, or its digits as a string. */
export const Count = scalar(Schema.Number, (value) => {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : undefined
  return typeof value === "string" && wholeNumber.test(value) ? Number(value) : undefined
})

const amount = /^(\d{1,10})(?:[.,](\d{1,2}))?$/

const centsFromText = (text: string): Result.Result<Cents, unknown> => {
  const [, whole = "", decimals = ""] = amount.exec(text) ?? []
  return centsFromDecimal(`${whole}.${decimals.padEnd(2, "0")}`)
}

/** An amount like `\d{1,10}\.\d{2}`. It can also be a number, have a comma, or lack decimals. It is never rounded. */
export const Amount = scalar(Schema.toType(Cents), (value) => {
  if (typeof value === "string") return Result.getOrUndefined(centsFromText(value))
  return typeof value === "number" ? Result.getOrUndefined(centsFromReais(value)) : undefined
})

/** API Pix lists at most 1,000 payments on a page (`itensPorPagina`), but a bank without pages lists all of them. */
const maxItems = 10_000

const isEmptyValue = (value: unknown): boolean =>
  value === "" || (Predicate.isObject(value) && Object.keys(value).length === 0)

/**
 * The elements of a list, still unread. A single element counts as a list, and an empty string or object as an empty
 * list. Fails for more than `maxItems` elements before it reads any.
 */
export const Elements = scalar(Schema.Array(Schema.Unknown), (value): ReadonlyArray<unknown> | undefined => {
  const elements: ReadonlyArray<unknown> = Array.isArray(value) ? value : isEmptyValue(value) ? [] : [value]
  return elements.length > maxItems ? undefined : elements
})

const pickPresent = (value: object, names: ReadonlyArray<string>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const field: unknown = Object.hasOwn(value, name) ? value[name as keyof typeof value] : undefined
      return Predicate.isNullish(field) ? [] : [[name, field]]
    }),
  )

export const looseStruct = <const Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const names = Object.keys(fields)
  const struct = Schema.Struct(fields)
  return Schema.Unknown.pipe(
    Schema.decodeTo(struct, {
      decode: SchemaGetter.transformEffect((value: unknown) =>
        Predicate.isObject(value)
          ? Effect.succeed(pickPresent(value, names) as (typeof struct)["Encoded"])
          : Effect.fail(new SchemaIssue.InvalidValue()),
      ),
      encode: SchemaGetter.forbiddenEncoding,
    }),
  )
}

/** Reads an object's fields, and those inside its `data`, into which some banks wrap an answer. */
export const readFields = (json: unknown): Readonly<Record<string, unknown>> => {
  if (!Predicate.isObject(json)) return {}
  const fields: Readonly<Record<string, unknown>> = { ...json }
  return { ...fields, ...(Predicate.isObject(fields["data"]) && fields["data"]) }
}

/** Logs the names of unreadable fields, never a value, which can be a payer's. */
export const logFlaws = (what: string, flaws: ReadonlyArray<UnreadableAnswer> = []): Effect.Effect<void> => {
  if (flaws.length === 0) return Effect.void
  const fields = [...new Set(flaws.flatMap((flaw) => flaw.fields))]
  return Effect.logError(`The bank's ${what} has ${flaws.length} that can't be read, at ${fields.join(", ")}`)
}
