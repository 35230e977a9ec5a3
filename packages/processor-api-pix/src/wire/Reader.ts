import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

/** A bank's answer that can't be understood. It names fields and never their values, which may be a payer's. */
export class UnreadableAnswer extends Data.TaggedError("UnreadableAnswer")<{
  readonly fields: ReadonlyArray<string>
}> {
  override get message(): string {
    return `the answer can't be read: ${this.fields.join(", ")}`
  }
}

/** Reads JSON that came from a bank. */
export type Reader<A> = (json: unknown) => Result.Result<A, UnreadableAnswer>

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const nameOf = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment)

/** Reads by a schema of the wire and hands on what our own code works with. */
export const readerOf = <W, A>(schema: Schema.Codec<W, unknown>, to: (wire: W) => A): Reader<A> => {
  const decode = Schema.decodeUnknownResult(schema)
  return (json) =>
    Result.mapBoth(decode(json, { errors: "all" }), {
      onSuccess: to,
      onFailure: ({ issue }) =>
        new UnreadableAnswer({
          fields: issuesOf(issue).issues.map(({ path }) => (path ?? []).map(nameOf).join(".") || "(all)"),
        }),
    })
}
