import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Why a value is refused. The text never repeats the value. */
export interface Refusal {
  readonly message: string
  readonly path?: ReadonlyArray<string>
}

export type Judged<A> = Result.Result<A, Refusal>

interface Rules<A, W> {
  readonly parse: (wire: W) => Judged<A>
  readonly write: (value: A) => Judged<W>
}

const toIssue = ({ message, path }: Refusal): SchemaIssue.Issue => {
  // With `reportInput`, an issue shows its input, which can be a payer's tax id (decision 25).
  const issue = new SchemaIssue.InvalidValue({ message })
  return path === undefined ? issue : new SchemaIssue.Pointer(path, issue)
}

const settle = <A>(judged: Judged<A>) => Effect.fromResult(Result.mapError(judged, toIssue))

/** Makes a codec whose issues have the messages of the parser's errors. */
export const parsedCodec = <T extends Schema.Constraint, W extends Schema.Constraint>(
  wire: W,
  type: T,
  { parse, write }: Rules<T["Encoded"], W["Type"]>,
): Schema.decodeTo<T, W> =>
  Schema.decodeTo<T, W>(type, {
    decode: SchemaGetter.transformEffect((given: W["Type"]) => settle(parse(given))),
    encode: SchemaGetter.transformEffect((value: T["Encoded"]) => settle(write(value))),
  })(wire)

/** The parser's message for `undefined`, used for every value of a wrong wire type. */
export const refusalOfOthers = <W>(parse: (wire: W) => Judged<unknown>): string =>
  Result.getOrThrow(Result.flip(parse(undefined as W))).message

export const refusalOf = (name: string): string => `A ${name} must be as its parser returns it.`

/** Accepts values that the parser returns unchanged. */
export const brandedType = <A extends S["Type"], S extends Schema.String | Schema.Number>(
  name: string,
  form: S,
  parse: (value: S["Type"]) => Judged<A>,
): Schema.refine<A, S> => {
  const isReturned = (value: S["Type"]): value is A => Object.is(Result.getOrUndefined(parse(value)), value)
  return Schema.refine<S, A>(isReturned, { message: refusalOf(name) })(form)
}

/** Schema of a type that `isValue` recognises; `sample` generates some of its values. */
export const declaredType = <A>(
  name: string,
  isValue: (value: A) => boolean,
  sample: Schema.Codec<A, unknown>,
): Schema.declare<A> =>
  Schema.declare((value): value is A => Predicate.isNotNullish(value) && isValue(value as A), {
    message: refusalOf(name),
    toCodecArbitrary: () => Schema.link<A>()(sample, SchemaTransformation.passthrough()),
  })

export interface Form {
  /** Name of the schema's definition. Without it, the description is inline. */
  readonly identifier?: string
  readonly description: string
  /** Keywords that every valid value satisfies. */
  readonly keywords: Readonly<Record<string, string | number>>
  /** Pattern of generated texts, by default the pattern of the keywords. */
  readonly sample?: string
}

export const uuidKeywords = { format: "uuid", pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$" }

type Generation = Schema.Annotations.Filter["arbitraryConstraint"]

const describe = ({ identifier, keywords }: Form, arbitraryConstraint: Generation) =>
  Schema.makeFilter<unknown>(() => true, { identifier, arbitraryConstraint, toJsonSchema: () => [keywords, true] })

export const textOf = (message: string, form: Form): Schema.String => {
  const { sample: source = form.keywords["pattern"] } = form
  const generation: Generation = typeof source === "string" ? { patterns: [{ source, flags: "" }] } : undefined
  return Schema.String.annotate({ message, description: form.description }).check(describe(form, generation))
}

/** A number that JSON Schema calls whole. Refuses NaN and the infinities, too. */
export const integerOf = (message: string, form: Form): Schema.Number => {
  const { minimum, maximum } = form.keywords
  const keywords = { type: "integer", ...form.keywords }
  return Schema.Number.annotate({ message, description: form.description }).check(
    Schema.isFinite({ message }),
    describe({ ...form, keywords }, { number: "integer", minimum, maximum, order: Order.Number }),
  )
}

/**
 * The check digits' weights of neighbouring characters differ by 1, modulo 11. Three characters worth a, -2a and a add 0 to both
 * check digits: a tax id of such groups ends in 00. A letter's value is its code minus 48: A 17, E 21.
 */
const digits = "000|191|272|353|434|515|787|868|949"

export const cpfSample = `(${digits}){3}00`

/** The check digits' weights restart after the fourth and after the fifth character: no group spans these characters. */
export const cnpjSample = `(${digits}|AEA)00(${digits}|AEA){2}000`

export const uuidSample = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
