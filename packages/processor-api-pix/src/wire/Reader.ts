import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** A bank's answer that can't be read. It names what is wrong first and never a value, which may be a payer's. */
export class UnreadableAnswer extends Data.TaggedError("UnreadableAnswer")<{
  readonly fields: ReadonlyArray<string>
}> {
  override get message(): string {
    return `the answer can't be read: ${this.fields.join(", ")}`
  }
}

/** Reads JSON that came from a bank. */
export type Reader<A> = (json: unknown) => Result.Result<A, UnreadableAnswer>

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const segmentName = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment)

/** A reader that decodes by a schema of the wire, up to the first fault, and converts to our own form. */
export const makeReader = <W, A>(schema: Schema.Codec<W, unknown>, to: (wire: W) => A): Reader<A> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (json) =>
    Result.mapBoth(decode(json), {
      onSuccess: to,
      onFailure: ({ issue }) =>
        new UnreadableAnswer({
          fields: formatIssue(issue).issues.map(({ path }) => (path ?? []).map(segmentName).join(".") || "(all)"),
        }),
    })
}
