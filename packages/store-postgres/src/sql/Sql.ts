import { createHash } from "node:crypto"
import type { SchemaName } from "./SchemaName.ts"

export interface Sql {
  readonly text: string
  readonly name: string
  /** A second run has no further effect: the statement can be sent again after a lost answer. */
  readonly repeatable: boolean
  readonly writes: boolean
  /** Neither the statement nor a function that it calls changes anything. The server cancels it when no caller waits for it. */
  readonly reads: boolean
}

export const inSchema = (schema: SchemaName, text: string): string => text.replaceAll("@.", `${schema}.`)

/** A list is sent as JSON, because drivers send lists differently, and a call to a Citus shard sends only strings. */
export type SqlValue = string | number | boolean | null | undefined

export type SchemaSql = (schema: SchemaName) => Sql

/**
 * Casts these parameters through `text`. Otherwise a driver that asks for the types of parameters, such as postgres.js, would
 * encode JSON and dates twice.
 */
const sendTexts = (text: string): string => text.replaceAll(/(\$\d+)::(json|date)\b/g, "$1::text::$2")

const writing = /\b(?:INSERT|UPDATE|DELETE)\b/

const statement = (text: string, isRepeatable: boolean, callsWrites = false): SchemaSql => {
  const writes = writing.test(text)
  const reads = isRepeatable && !writes && !callsWrites
  const cached = new Map<SchemaName, Sql>()
  return (schema) => {
    const known = cached.get(schema)
    if (known !== undefined) return known
    const schemaText = inSchema(schema, sendTexts(text))
    const name = `pixcharge_${createHash("sha256").update(schemaText).digest("hex").slice(0, 16)}`
    const sql = { text: schemaText, name, repeatable: isRepeatable, writes, reads }
    cached.set(schema, sql)
    return sql
  }
}

/** A statement that can safely run twice: it is sent again after a lost answer. `@.` in its text stands for the schema. */
export const repeatable = (text: string): SchemaSql => statement(text, true)

/** A repeatable statement that calls a function which can change something. */
export const repeatableCall = (text: string): SchemaSql => statement(text, true, true)

/** A statement whose second run can change something: it is sent again only if it wasn't executed. */
export const unrepeatable = (text: string): SchemaSql => statement(text, false)

export const makeValues = () => {
  const values: Array<SqlValue> = []
  const value = (parameter: SqlValue, type: string): string => `$${values.push(parameter)}::${type}`
  return { values, value }
}

export type Values = ReturnType<typeof makeValues>

export interface SqlWithValues {
  readonly statement: SchemaSql
  readonly values: Array<SqlValue>
}

export interface PagedSql {
  readonly first: SchemaSql
  readonly next: SchemaSql
}

/**
 * Makes one statement for the first page and one for later pages. The cached plan of a single statement with `$5 IS NULL OR ...`
 * would read every page from the period's start.
 */
export const paged = (text: (isFirst: boolean) => string): PagedSql => ({
  first: repeatable(text(true)),
  next: repeatable(text(false)),
})

/**
 * Joins a table: an index finds the matches of each row of the other side. All values must be from one relation: otherwise the
 * planner can use the index's first column alone.
 *
 * With an array's element, the planner can choose only a nested loop. With `=`, the planner can choose a hash or merge join while
 * the table is small, and sessions keep that plan while the table grows. Sort by the values: sorting by the columns reads a whole
 * index.
 */
export const lookUp = (key: Readonly<Record<string, string>>): string =>
  Object.entries(key)
    .map(([column, value]) => `${column} = ANY (ARRAY[${value}])`)
    .join(" AND ")

/**
 * Hides a parameter's value from the planner. Otherwise Postgres can expect a cheaper plan for each call's values, and plan every
 * call again.
 */
export const hideFromPlanner = (parameter: string): string => `(SELECT ${parameter})`

/** The time $1, in seconds since the epoch, or these milliseconds later. */
export const timeAt = (laterMs = 0): string => hideFromPlanner(`to_timestamp($1::float8 + ${laterMs / 1_000})`)

/**
 * Makes a step run after the CTE of this name: the condition always holds, but Postgres must read the CTE's last row first.
 * Otherwise Postgres can mix the two steps, and lock rows of the second table before rows of the first.
 */
export const runsAfter = (cte: string): string => `(SELECT count(*) FROM ${cte}) >= 0`
