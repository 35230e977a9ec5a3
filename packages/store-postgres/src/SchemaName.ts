import { TaggedError } from "@pixcharge/core"

declare const brand: unique symbol

/** A schema's name, quoted as SQL writes it; every table is named with it, so that no `search_path` matters. */
export type SchemaName = string & { readonly [brand]: "SchemaName" }

/** The schema that is used when the host names none. */
export const defaultSchema = "pixcharge"

/**
 * A name that can't be a schema of ours.
 *
 * @remedy Choose a name of 1 to 31 of a to z, 0 to 9 and _, or leave the option `schema` out.
 * @repeat No: with another name.
 */
export class InvalidSchemaName extends TaggedError("InvalidSchemaName") {
  override get message(): string {
    return "The option schema must have 1 to 31 of a to z, 0 to 9 and _, and start with no digit."
  }
}

const form = /^[a-z_][a-z0-9_]{0,30}$/

/** A schema's name has 1 to 31 of `a-z0-9_` and starts with no digit: nothing in it needs escaping. Throws otherwise. */
export const schemaName = (schema: string = defaultSchema): SchemaName => {
  if (!form.test(schema)) throw new InvalidSchemaName()
  return `"${schema}"` as SchemaName
}
