import { createHash } from "node:crypto"
import type { SchemaName } from "../SchemaName.ts"

/** One SQL statement, its tables named with the schema. */
export interface Sql {
  readonly text: string
  /** A digest of the text: equal names mean equal statements. */
  readonly name: string
  /** It changes nothing the second time, and may be sent again after a lost answer. */
  readonly repeatable: boolean
}

/** A statement in any schema; its text is made once for each. */
export type SchemaSql = (schema: SchemaName) => Sql

const statement = (text: (schema: SchemaName) => string, isRepeatable: boolean): SchemaSql => {
  const made = new Map<SchemaName, Sql>()
  return (schema) => {
    const known = made.get(schema)
    if (known !== undefined) return known
    const written = text(schema)
    const name = `pixcharge_${createHash("sha256").update(written).digest("hex").slice(0, 16)}`
    const sql = { text: written, name, repeatable: isRepeatable }
    made.set(schema, sql)
    return sql
  }
}

/** A statement that changes nothing the second time: it is sent again after a lost answer. */
export const repeatable = (text: (schema: SchemaName) => string): SchemaSql => statement(text, true)

/** A statement that may change something the second time: it is sent again only if it was not carried out. */
export const unrepeatable = (text: (schema: SchemaName) => string): SchemaSql => statement(text, false)

/** A list's statements: for its first page, and for those that follow. */
export interface PagedSql {
  readonly first: SchemaSql
  readonly next: SchemaSql
}

/** Makes both: with `$5 IS NULL OR ...` in one statement, a kept plan would begin every page at the period's start. */
export const paged = (text: (schema: SchemaName, isFirst: boolean) => string): PagedSql => ({
  first: repeatable((schema) => text(schema, true)),
  next: repeatable((schema) => text(schema, false)),
})
