import { TaggedError } from "@pixcharge/core/internal"

declare const brand: unique symbol

/** A schema's name, quoted as SQL writes it; every table is named with it, so that no `search_path` matters. */
export type SchemaName = string & { readonly [brand]: "SchemaName" }

/** The schema that is used when the host names none. */
export const defaultSchema = "pixcharge"

/**
 * A name that can't be a schema of ours.
 *
 * @remedy Choose a name of 1 to 31 of a to z, 0 to 9 and _, other than `public`, `information_schema` and those that begin with `pg_`, or leave the option `schema` out.
 * @repeat No: with another name.
 */
export class InvalidSchemaName extends TaggedError("InvalidSchemaName") {
  override get message(): string {
    return "The option schema must have 1 to 31 of a to z, 0 to 9 and _, start with no digit, and be no schema that others use: public, information_schema and pg_ with anything behind it."
  }
}

const form = /^(?!pg_)[a-z_][a-z0-9_]{0,30}$/

/** Those of Postgres's own, and the one in which other programs have their tables where nobody named another. */
const taken = new Set(["information_schema", "public"])

/**
 * A schema's name has 1 to 31 of `a-z0-9_` and starts with no digit: nothing in it needs escaping. It is ours alone: neither
 * `public` nor one of Postgres's own. Throws `InvalidSchemaName` otherwise.
 */
export const schemaName = (schema: string = defaultSchema): SchemaName => {
  if (typeof schema !== "string" || !form.test(schema) || taken.has(schema)) throw new InvalidSchemaName()
  return `"${schema}"` as SchemaName
}
