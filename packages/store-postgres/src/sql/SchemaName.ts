import { TaggedError } from "@pixcharge/core/internal"

declare const brand: unique symbol

/** A schema's name, quoted for SQL. Every statement contains it, so `search_path` doesn't matter. */
export type SchemaName = string & { readonly [brand]: "SchemaName" }

export const defaultSchema = "pixcharge"

/**
 * The name can't be a schema of ours.
 *
 * @remedy Choose a name of 1 to 31 of a to z, 0 to 9 and _, other than `public`, `information_schema` and those that begin with `pg_`, or leave the option `schema` out.
 * @repeat No, only with another name.
 */
export class InvalidSchemaName extends TaggedError("InvalidSchemaName") {
  override get message(): string {
    return "The option schema must have 1 to 31 characters from a to z, 0 to 9 and _. It must not start with a digit or pg_, and must not be public or information_schema."
  }
}

const form = /^(?!pg_)[a-z_][a-z0-9_]{0,30}$/

const reservedNames = new Set(["information_schema", "public"])

/** Checks and quotes a schema's name. Throws `InvalidSchemaName`. */
export const schemaName = (schema: string = defaultSchema): SchemaName => {
  if (typeof schema !== "string" || !form.test(schema) || reservedNames.has(schema)) throw new InvalidSchemaName()
  return `"${schema}"` as SchemaName
}
