import type { SchemaName } from "../SchemaName.ts"

/** The names of one shard's tables, by the name of the table that each is a part of. */
export type ShardTables = ReadonlyMap<string, string>

const tablesOf = new Map<SchemaName, RegExp>()

/** Finds the tables of a schema in a statement, each with its name alone. */
const tablesIn = (schema: SchemaName): RegExp => {
  const known = tablesOf.get(schema)
  if (known !== undefined) return known
  const made = new RegExp(`${schema}\\.(\\w+)(?![\\w(])`, "g")
  tablesOf.set(schema, made)
  return made
}

/** A statement over one shard's tables. Throws if it names a table that has no shards: it would not stay on one node. */
export const onShardTables = (text: string, schema: SchemaName, tables: ShardTables): string =>
  text.replace(tablesIn(schema), (_, table: string) => {
    const name = tables.get(table)
    if (name === undefined) throw new RangeError(`a statement over one shard can't use the table ${table}`)
    return `${schema}.${name}`
  })
