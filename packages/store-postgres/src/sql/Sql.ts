import { createHash } from "node:crypto"
import type { SchemaName } from "./SchemaName.ts"

/** One SQL statement, its tables named with the schema. */
export interface Sql {
  readonly text: string
  /** A digest of the text: equal names mean equal statements. */
  readonly name: string
  /** Whether it changes nothing the second time, so that it may be sent again after a lost answer. */
  readonly repeatable: boolean
  /** Whether it may change something. */
  readonly writes: boolean
  /** Whether neither it nor what it calls changes anything: once nobody waits for it, it is cancelled on the server. */
  readonly reads: boolean
}

/** Names the schema where `@.` stands for it. */
export const inSchema = (schema: SchemaName, text: string): string => text.replaceAll("@.", `${schema}.`)

/** The value of a parameter. Drivers differ in how they send lists, and a shard's call sends texts: a list is sent as JSON. */
export type SqlValue = string | number | boolean | null | undefined

/** A statement in any schema; its text is made once for each. */
export type SchemaSql = (schema: SchemaName) => Sql

/**
 * Sends as texts what is written as texts: a driver that asks for the types of parameters, as postgres.js does, would encode a text
 * for one of these types once more.
 */
const sendTexts = (text: string): string => text.replaceAll(/(\$\d+)::(json|date)\b/g, "$1::text::$2")

const writing = /\b(?:INSERT|UPDATE|DELETE)\b/

const statement = (text: string, isRepeatable: boolean, callsWrites = false): SchemaSql => {
  const writes = writing.test(text)
  const reads = isRepeatable && !writes && !callsWrites
  const made = new Map<SchemaName, Sql>()
  return (schema) => {
    const known = made.get(schema)
    if (known !== undefined) return known
    const written = inSchema(schema, sendTexts(text))
    const name = `pixcharge_${createHash("sha256").update(written).digest("hex").slice(0, 16)}`
    const sql = { text: written, name, repeatable: isRepeatable, writes, reads }
    made.set(schema, sql)
    return sql
  }
}

/**
 * A statement that changes nothing the second time: it is sent again after a lost answer. In its text `@.` stands for the
 * schema, as in `@.charges`.
 */
export const repeatable = (text: string): SchemaSql => statement(text, true)

/** The same for one that calls a function which may change something. */
export const repeatableCall = (text: string): SchemaSql => statement(text, true, true)

/** The same for a statement that may change something the second time: it is sent again only if it was not carried out. */
export const unrepeatable = (text: string): SchemaSql => statement(text, false)

/** Collects the values of a statement, and names each by its number. */
export const makeValues = () => {
  const values: Array<SqlValue> = []
  const value = (one: SqlValue, type: string): string => `$${values.push(one)}::${type}`
  return { values, value }
}

export type Values = ReturnType<typeof makeValues>

/** A statement that was made for its values. */
export interface SqlWithValues {
  readonly statement: SchemaSql
  readonly values: Array<SqlValue>
}

/** A list's statements: for its first page, and for those that follow. */
export interface PagedSql {
  readonly first: SchemaSql
  readonly next: SchemaSql
}

/** Makes both. One statement with `$5 IS NULL OR ...` would have a kept plan that begins every page at the period's start. */
export const paged = (text: (isFirst: boolean) => string): PagedSql => ({
  first: repeatable(text(true)),
  next: repeatable(text(false)),
})

/**
 * Joins a table so that each row of the other side is looked up by an index. Takes columns of the table, each with its value. All
 * values are of one relation: with those of two, or of one and a parameter, the planner may use the index's first column alone.
 *
 * With `=`, the planner makes a hash or merge join if its statistics say that the table is small or empty: that reads the whole table,
 * and sessions keep the plan while the table grows. With an element of an array, it can only make a nested loop. Sort by the values, not
 * by the columns: the planner would read a whole index for its order.
 */
export const lookUp = (key: Readonly<Record<string, string>>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ANY (ARRAY[${value}])`)
    .join(" AND ")

/**
 * Hides a parameter's value from the planner. Postgres plans a statement again at each call while a plan for the values of the call
 * seems cheaper than one for any values; for a statement that mostly finds nothing, planning takes longer than all the rest.
 */
export const hideFromPlanner = (parameter: string): string => `(SELECT ${parameter})`

/**
 * Makes a step of a statement run after another one, the CTE of this name: a condition that always holds, but can't be checked before
 * that CTE has returned its last row. Without it Postgres may mix the two, and lock rows of the second table before those of the first.
 */
export const runsAfter = (cte: string): string => `(SELECT count(*) FROM ${cte}) >= 0`
