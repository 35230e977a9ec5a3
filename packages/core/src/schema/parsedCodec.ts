import * as Effect from "effect/Effect"
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

export type Judged<A> = Result.Result<A, Refusal>

/** How core reads and writes the values of a type. */
interface Rules<A, W> {
  readonly parse: (wire: W) => Judged<A>
  readonly write: (value: A) => Judged<W>
}

const toIssue = ({ message, path }: Refusal): SchemaIssue.Issue => {
  // An issue with its input would show it with `reportInput`, and it may be a payer's document (decision 25).
  const issue = new SchemaIssue.InvalidValue({ message })
  return path === undefined ? issue : new SchemaIssue.Pointer(path, issue)
}

const settle = <A>(judged: Judged<A>) => Effect.fromResult(Result.mapError(judged, toIssue))

/** The codec of a type of core. Its issues have the texts of the parser's errors. */
export const parsedCodec = <T extends Schema.Constraint, W extends Schema.Constraint>(
  wire: W,
  type: T,
  { parse, write }: Rules<T["Encoded"], W["Type"]>,
): Schema.decodeTo<T, W> =>
  Schema.decodeTo<T, W>(type, {
    decode: SchemaGetter.transformEffect((given: W["Type"]) => settle(parse(given))),
    encode: SchemaGetter.transformEffect((value: T["Encoded"]) => settle(write(value))),
  })(wire)

/** What a parser says of `undefined`, and so of each value that isn't of the wire form's type. */
export const refusalOfOthers = <W>(parse: (wire: W) => Judged<unknown>): string =>
  Result.getOrThrow(Result.flip(parse(undefined as W))).message
