import {
  type SchemaName,
  type Database,
  type Row,
  repeatable,
  numberIn,
  textIn,
} from "@pixcharge/store-postgres/internal"
import { isSplitState, type Shard, splitFailure } from "./Shards.ts"

export interface LoadedShard extends Shard {
  readonly tables: ShardTables
}

const findShards = repeatable(`
SELECT c.relname AS table_name, s.shardid AS id, s.shardminvalue AS begins
FROM pg_catalog.pg_dist_partition charges
JOIN pg_catalog.pg_dist_partition p ON p.colocationid = charges.colocationid
JOIN pg_catalog.pg_dist_shard s ON s.logicalrelid = p.logicalrelid
JOIN pg_catalog.pg_class c ON c.oid = p.logicalrelid
JOIN pg_catalog.pg_class first ON first.oid = charges.logicalrelid AND first.relnamespace = c.relnamespace
WHERE charges.logicalrelid = '@.charges'::regclass`)

const findShardId = repeatable("SELECT get_shard_id_for_distribution_column('@.charges', $1::text) AS id")

/** Tries the numbers from 1 to $1 as keys; returns a key for each shard that a number hashes into. */
const findKeys = repeatable(`
SELECT DISTINCT ON (id) id, key FROM (
  SELECT get_shard_id_for_distribution_column('@.charges', n::text) AS id, n::text AS key FROM generate_series(1, $1::integer) n
) tried
ORDER BY id`)

/** Finds a company as each shard's key, even if no number hashes into the shard. */
const findCompanies = repeatable(`
SELECT shardid AS id, result AS key FROM run_command_on_shards('@.charges', 'SELECT min(issuer) FROM %s')
WHERE success AND result <> ''`)

/** Tries this many numbers for each shard at first, then more while a shard has no key. */
const triesForEach = 64
const maxTries = 262_144
/** Milliseconds after which the map is read again while a shard has no key. */
const incompleteMs = 60_000
const maxRemembered = 100_000

interface FoundShard {
  readonly id: string
  readonly tables: ShardTables
  key?: string
}

const groupShards = (rows: ReadonlyArray<Row>): ReadonlyArray<FoundShard> => {
  const byStart = new Map<number, { id: string; tables: Map<string, string> }>()
  for (const row of rows) {
    const [begins, table, id] = [numberIn(row, "begins"), textIn(row, "table_name"), textIn(row, "id")]
    const shard = byStart.get(begins) ?? { id: "", tables: new Map() }
    shard.tables.set(table, `${table}_${id}`)
    // `audit_entries` is a view and has no shards: its rows are inserted into the shards of `audit_log`.
    if (table === "audit_log") shard.tables.set("audit_entries", `${table}_${id}`)
    if (table === "charges") shard.id = id
    byStart.set(begins, shard)
  }
  return [...byStart].toSorted(([a], [b]) => a - b).map(([, shard]) => shard)
}

/** A shard with a tiny range of hashes has no key while it has no charge. */
const findEachKey = async ({ read }: Database, shards: ReadonlyMap<string, FoundShard>): Promise<void> => {
  const take = (rows: ReadonlyArray<Row>): boolean => {
    for (const row of rows) {
      const shard = shards.get(textIn(row, "id"))
      if (shard !== undefined) shard.key ??= textIn(row, "key")
    }
    return isComplete(shards)
  }
  for (let tried = triesForEach * shards.size; tried <= maxTries; tried *= 16) {
    if (take(await read(findKeys, [tried]))) return
  }
  take(await read(findCompanies, []))
}

const hasKey = (shard: FoundShard): shard is LoadedShard => shard.key !== undefined

const isComplete = (shards: ReadonlyMap<string, FoundShard>): boolean => [...shards.values()].every(hasKey)

/** `at` is in milliseconds of the monotonic clock. */
interface Loaded {
  readonly shards: ReadonlyMap<string, FoundShard>
  readonly at: number
}

const load = async (database: Database): Promise<Loaded> => {
  const at = performance.now()
  const shards = new Map(groupShards(await database.read(findShards, [])).map((shard) => [shard.id, shard]))
  await findEachKey(database, shards)
  return { shards, at }
}

const ignoreSplit = (error: unknown): undefined => {
  if (!isSplitState(error)) throw error
}

/** Calls reject with a `SqlFailure`. */
export class ShardMap {
  readonly #database: Database
  readonly #shardIds = new Map<string, string>()
  #loading: Promise<Loaded> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  async find(issuer: string): Promise<LoadedShard> {
    const found = await this.#find(issuer).catch(ignoreSplit)
    if (found !== undefined) return found
    // The shard was split since the map was read.
    this.forget()
    const now = await this.#find(issuer).catch(ignoreSplit)
    if (now === undefined) throw splitFailure()
    return now
  }

  /** Returns the shards that have a key, in ascending order of their hashes. */
  async all(): Promise<ReadonlyArray<LoadedShard>> {
    const { shards, at } = await this.#load()
    const keyed = [...shards.values()].filter(hasKey)
    if (keyed.length < shards.size && performance.now() - at > incompleteMs) this.forget()
    return keyed
  }

  forget(): void {
    this.#loading = undefined
    this.#shardIds.clear()
  }

  /** Concurrent calls share one read; after a failure the next call reads again. */
  async #load(): Promise<Loaded> {
    const loading = (this.#loading ??= load(this.#database))
    try {
      return await loading
    } catch (error) {
      if (this.#loading === loading) this.#loading = undefined
      throw error
    }
  }

  async #find(issuer: string): Promise<LoadedShard | undefined> {
    const { shards } = await this.#load()
    const shard = shards.get(await this.#findId(issuer))
    if (shard === undefined) return undefined
    shard.key ??= issuer
    return hasKey(shard) ? shard : undefined
  }

  async #findId(issuer: string): Promise<string> {
    const known = this.#shardIds.get(issuer)
    if (known !== undefined) return known
    const [row = {}] = await this.#database.read(findShardId, [issuer])
    const id = textIn(row, "id")
    if (this.#shardIds.size >= maxRemembered) this.#shardIds.clear()
    this.#shardIds.set(issuer, id)
    return id
  }
}

export type ShardTables = ReadonlyMap<string, string>

const patterns = new Map<SchemaName, RegExp>()

const matchTables = (schema: SchemaName): RegExp => {
  const known = patterns.get(schema)
  if (known !== undefined) return known
  const pattern = new RegExp(`${schema}\\.(\\w+)(?![\\w(])`, "g")
  patterns.set(schema, pattern)
  return pattern
}

/**
 * Replaces the names of tables by the names of a shard's tables. Throws `RangeError` for a table without shards, because the
 * statement would not stay on one node.
 */
export const useShardTables = (text: string, schema: SchemaName, tables: ShardTables): string =>
  text.replace(matchTables(schema), (_, table: string) => {
    const name = tables.get(table)
    if (name === undefined) throw new RangeError(`a statement over one shard can't use the table ${table}`)
    return `${schema}.${name}`
  })
