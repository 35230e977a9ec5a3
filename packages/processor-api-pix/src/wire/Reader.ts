import { TaggedError } from "@pixcharge/core/internal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/**
 * A bank's answer that can't be read. It names what is wrong first and never a value, which may be a payer's.
 *
 * @remedy Report it to the bank, or describe its way of answering in a `PspProfile`.
 * @repeat Yes; it is of use only once the bank answers otherwise.
 */
export class UnreadableAnswer extends TaggedError("UnreadableAnswer")<{
  readonly fields: ReadonlyArray<string>
}> {
  override get message(): string {
    return `The bank's answer can't be read at ${this.fields.join(", ")}: it isn't as API Pix says.`
  }
}

/** Reads JSON that came from a bank. */
export type Reader<A> = (json: unknown) => Result.Result<A, UnreadableAnswer>

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const nameSegment = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment)

/** A reader that decodes by a schema of the wire, up to the first fault, and converts to our own form. */
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

/** Reads nothing: banks return what they made, an empty object or nothing. */
export const readNothing: Reader<undefined> = () => Result.succeed(undefined)

/** Undefined for an answer that can't be read: some banks return nothing, or less than what they made. */
export const readShown =
  <A>(read: Reader<A>): Reader<A | undefined> =>
  (json) =>
    Result.succeed(Result.getOrUndefined(read(json)))

/** The elements of a list that could be read, and what is wrong with each of the others. */
export interface Entries<A> {
  readonly read: ReadonlyArray<A>
  readonly flaws: ReadonlyArray<UnreadableAnswer>
}

/** Reads each element by itself: one that can't be read is a flaw of the list, and spoils no other. */
export const readEntries = <A>(elements: ReadonlyArray<unknown> = [], read: Reader<A>): Entries<A> => {
  const entries: { read: Array<A>; flaws: Array<UnreadableAnswer> } = { read: [], flaws: [] }
  for (const element of elements) {
    const one = read(element)
    if (Result.isSuccess(one)) entries.read.push(one.success)
    else entries.flaws.push(one.failure)
  }
  return entries
}
