import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SchemaIssue from "effect/SchemaIssue"

/** Why a value is refused. The text never repeats the value. */
export interface Refusal {
  readonly message: string
  /** Where the fault is in an object. */
  readonly path?: ReadonlyArray<string>
}

type Judged<A> = Result.Result<A, Refusal>

/** How core reads and writes the values of a type. */
interface Rules<A, W> {
  readonly name: string
  readonly parse: (wire: W) => Judged<A>
  readonly write: (value: A) => Judged<W>
  /** Whether a value is of the type; by default if `parse` returns it. */
  readonly isValue?: (value: A) => boolean
}

const toIssue = ({ message, path }: Refusal): SchemaIssue.Issue => {
  // An issue with its input would show it with `reportInput`, and it may be a payer's document (decision 25).
  const issue = new SchemaIssue.InvalidValue({ message })
  return path === undefined ? issue : new SchemaIssue.Pointer(path, issue)
}

const settle = <A>(judged: Judged<A>) => Effect.fromResult(Result.mapError(judged, toIssue))

/** The schema of the type itself, without a wire form. */
const typeSchema = <A, W>({ name, parse, write, isValue }: Rules<A, W>) => {
  const other = { message: `A ${name} must be as its parser returns it.` }
  const isReturned = (value: A): Judged<A> =>
    Result.filterOrFail(
      Result.flatMap(write(value), parse),
      (parsed) => Equal.equals(parsed, value),
      () => other,
    )
  const check = isValue === undefined ? isReturned : Result.liftPredicate(isValue, () => other)
  return Schema.declareConstructor<A>()(
    [],
    () => (value) => settle(Predicate.isNotNullish(value) ? check(value as A) : Result.fail(other)),
  )
}

/** The codec of a type of core. Its issues have the texts of the parser's errors. */
export const parsedCodec = <A, W>(wire: Schema.Codec<W>, rules: Rules<A, W>): Schema.Codec<A, W> =>
  wire.pipe(
    Schema.decodeTo(typeSchema(rules), {
      decode: SchemaGetter.transformEffect((given: W) => settle(rules.parse(given))),
      encode: SchemaGetter.transformEffect((value: A) => settle(rules.write(value))),
    }),
  )

/** What a parser says of `undefined`, and so of each value that isn't of the wire form's type. */
export const refusalOfOthers = <W>(parse: (wire: W) => Judged<unknown>): string =>
  Result.getOrThrow(Result.flip(parse(undefined as W))).message
