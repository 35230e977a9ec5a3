import { createHash } from "node:crypto"
import type { SchemaName } from "./SchemaName.ts"

export interface Sql {
  readonly text: string
  /** A digest of the text: equal names mean equal statements. */
  readonly name: string
  /** Whether a second run changes nothing: the statement can be sent again after a lost answer. */
  readonly repeatable: boolean
  /** Whether it can change something. */
  readonly writes: boolean
  /** Whether neither it nor the functions that it calls change anything: it is cancelled on the server when no caller waits for it. */
  readonly reads: boolean
}

export const inSchema = (schema: SchemaName, text: string): string => text.replaceAll("@.", `${schema}.`)

/** The value of a parameter. A list is sent as JSON, because drivers send lists differently, and a shard's call sends texts. */
export type SqlValue = string | number | boolean | null | undefined

/** The text for each schema is made once. */
export type SchemaSql = (schema: SchemaName) => Sql

/** Casts through text: a driver that asks for the types of parameters, as postgres.js does, would encode JSON and dates twice. */
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
 * A statement that changes nothing the second time: it is sent again after a lost answer. `@.` in its text stands for the schema, as
 * in `@.charges`.
 */
export const repeatable = (text: string): SchemaSql => statement(text, true)

/** `repeatable` for a statement that calls a function which can change something. */
export const repeatableCall = (text: string): SchemaSql => statement(text, true, true)

/** A statement that can change something the second time: it is sent again only if it wasn't carried out. */
export const unrepeatable = (text: string): SchemaSql => statement(text, false)

/** Collects values; names each by its number. */
export const makeValues = () => {
  const values: Array<SqlValue> = []
  const value = (one: SqlValue, type: string): string => `$${values.push(one)}::${type}`
  return { values, value }
}

export type Values = ReturnType<typeof makeValues>

export interface SqlWithValues {
  readonly statement: SchemaSql
  readonly values: Array<SqlValue>
}

/** A list's statements: for its first page, and for the following pages. */
export interface PagedSql {
  readonly first: SchemaSql
  readonly next: SchemaSql
}

/** Makes two statements, because the kept plan of one with `$5 IS NULL OR ...` would begin every page at the period's start. */
export const paged = (text: (isFirst: boolean) => string): PagedSql => ({
  first: repeatable(text(true)),
  next: repeatable(text(false)),
})

/**
 * Joins a table so that an index finds the matches of each row of the other side. Takes columns of the table, each with its value.
 * All values must be from one relation: otherwise the planner can use the index's first column alone.
 *
 * With `=`, the planner makes a hash or merge join if its statistics say that the table is small. That join reads the whole table,
 * and sessions keep the plan while the table grows. An element of an array leaves only a nested loop. Sort by the values, not by the
 * columns: the planner would read a whole index for its order.
 */
export const lookUp = (key: Readonly<Record<string, string>>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ANY (ARRAY[${value}])`)
    .join(" AND ")

/**
 * Hides a parameter's value from the planner. While a plan for the call's values seems cheaper than a general plan, Postgres plans at
 * each call. For a statement that mostly finds no rows, planning takes longer than the rest.
 */
export const hideFromPlanner = (parameter: string): string => `(SELECT ${parameter})`

/**
 * Makes a step run after the CTE of this name. The condition always holds, but Postgres can't check it before the CTE's last row.
 * Without it, Postgres can mix the two steps, and lock rows of the second table before rows of the first.
 */
export const runsAfter = (cte: string): string => `(SELECT count(*) FROM ${cte}) >= 0`
