import type { SchemaName } from "../SchemaName.ts"

/** The names of one shard's tables, by the name of the table that each is a part of. */
export type ShardTables = ReadonlyMap<string, string>

const patterns = new Map<SchemaName, RegExp>()

/** Matches the tables of a schema in a statement, and captures the name of each. */
const matchTables = (schema: SchemaName): RegExp => {
  const known = patterns.get(schema)
  if (known !== undefined) return known
  const made = new RegExp(`${schema}\\.(\\w+)(?![\\w(])`, "g")
  patterns.set(schema, made)
  return made
}

/** Makes a statement use one shard's tables. Throws if it names a table that has no shards: it would not stay on one node. */
export const useShardTables = (text: string, schema: SchemaName, tables: ShardTables): string =>
  text.replace(matchTables(schema), (_, table: string) => {
    const name = tables.get(table)
    if (name === undefined) throw new RangeError(`a statement over one shard can't use the table ${table}`)
    return `${schema}.${name}`
  })
