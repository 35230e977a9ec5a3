import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Judged } from "./parsedCodec.ts"

/** What is said of another value than those of a type. */
export const refusalOf = (name: string): string => `A ${name} must be as its parser returns it.`

/** The schema of a branded text or number, of which `form` is the unbranded one: the values that the parser returns as they are. */
export const brandedType = <A extends S["Type"], S extends Schema.String | Schema.Number>(
  name: string,
  form: S,
  parse: (value: S["Type"]) => Judged<A>,
): Schema.refine<A, S> => {
  const isReturned = (value: S["Type"]): value is A => Object.is(Result.getOrUndefined(parse(value)), value)
  return Schema.refine<S, A>(isReturned, { message: refusalOf(name) })(form)
}

/** The schema of a type that `isValue` tells, some of whose values `sample` generates. */
export const declaredType = <A>(
  name: string,
  isValue: (value: A) => boolean,
  sample: Schema.Codec<A, unknown>,
): Schema.declare<A> =>
  Schema.declare((value): value is A => Predicate.isNotNullish(value) && isValue(value as A), {
    message: refusalOf(name),
    toCodecArbitrary: () => Schema.link<A>()(sample, SchemaTransformation.passthrough()),
  })
