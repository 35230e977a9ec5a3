import type { Database, Row } from "../database/Database.ts"
import { repeatable } from "../database/Sql.ts"
import { numberIn, textIn } from "../database/values.ts"
import { isSplitState, type Shard, splitFailure } from "./Shards.ts"
import type { ShardTables } from "./shardTables.ts"

/** A shard with the names of its tables. */
export interface LoadedShard extends Shard {
  readonly tables: ShardTables
}

/** Which shards there are, and which of them holds a company. Rejects with a `SqlFailure`. */
export interface ShardMap {
  readonly of: (issuer: string) => Promise<LoadedShard>
  /** Ascending by the hashes that they hold. */
  readonly all: () => Promise<ReadonlyArray<LoadedShard>>
  /** Has it read again by the next call. */
  readonly forget: () => void
}

const findShards = repeatable(`
SELECT c.relname AS table_name, s.shardid AS id, s.shardminvalue AS begins
FROM pg_catalog.pg_dist_partition charges
JOIN pg_catalog.pg_dist_partition p ON p.colocationid = charges.colocationid
JOIN pg_catalog.pg_dist_shard s ON s.logicalrelid = p.logicalrelid
JOIN pg_catalog.pg_class c ON c.oid = p.logicalrelid
JOIN pg_catalog.pg_class first ON first.oid = charges.logicalrelid AND first.relnamespace = c.relnamespace
WHERE charges.logicalrelid = '@.charges'::regclass`)

const shardOfCompany = repeatable("SELECT get_shard_id_for_distribution_column('@.charges', $1::text) AS id")

/** A text for each shard that holds one of the first $1 numbers. */
const findKeys = repeatable(`
SELECT DISTINCT ON (id) id, key FROM (
  SELECT get_shard_id_for_distribution_column('@.charges', n::text) AS id, n::text AS key FROM generate_series(1, $1::integer) n
) tried
ORDER BY id`)

/** A company of each shard; of a shard that holds few hashes, nothing else is as sure to be found. */
const findCompanies = repeatable(`
SELECT shardid AS id, result AS key FROM run_command_on_shards('@.charges', 'SELECT min(issuer) FROM %s')
WHERE success AND result <> ''`)

/** Numbers that are tried for keys: so many for each shard at first, then more while shards lack one. */
const triedForEach = 64
const maxTried = 262_144
/** A map whose shards don't all have a key is read again after this time: a company may have come to one that was empty. */
const incompleteMs = 60_000
/** Companies whose shard is remembered. */
const maxRemembered = 100_000

/** A shard whose key may not be known yet. */
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
    // A view has no shards: its rows are inserted into the table's own.
    if (table === "audit_log") shard.tables.set("audit_entries", `${table}_${id}`)
    if (table === "charges") shard.id = id
    byStart.set(begins, shard)
  }
  return [...byStart].toSorted(([a], [b]) => a - b).map(([, shard]) => shard)
}

/** Gives each shard a key, but for one so small that no number hashes into it, and that holds no charge. */
const findEachKey = async ({ read }: Database, shards: ReadonlyMap<string, FoundShard>): Promise<void> => {
  const take = (rows: ReadonlyArray<Row>): boolean => {
    for (const row of rows) {
      const shard = shards.get(textIn(row, "id"))
      if (shard !== undefined) shard.key ??= textIn(row, "key")
    }
    return isComplete(shards)
  }
  for (let tried = triedForEach * shards.size; tried <= maxTried; tried *= 16) {
    if (take(await read(findKeys, [tried]))) return
  }
  take(await read(findCompanies, []))
}

const hasKey = (shard: FoundShard): shard is LoadedShard => shard.key !== undefined

const isComplete = (shards: ReadonlyMap<string, FoundShard>): boolean => [...shards.values()].every(hasKey)

/** The shards by their ids, and when they were read, on the steady clock. */
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

const unlessSplit = (error: unknown): undefined => {
  if (!isSplitState(error)) throw error
}

/** The map of the schema that the database's statements name; it is read by the first call. */
export const makeShardMap = (database: Database): ShardMap => {
  let loading: Promise<Loaded> | undefined
  const companies = new Map<string, string>()

  const forget = (): void => {
    loading = undefined
    companies.clear()
  }

  /** Of calls that come at once, one reads the map; one that can't be read is read again by the next call. */
  const current = async (): Promise<Loaded> => {
    const mine = (loading ??= load(database))
    try {
      return await mine
    } catch (error) {
      if (loading === mine) loading = undefined
      throw error
    }
  }

  const idOf = async (issuer: string): Promise<string> => {
    const known = companies.get(issuer)
    if (known !== undefined) return known
    const [row = {}] = await database.read(shardOfCompany, [issuer])
    const id = textIn(row, "id")
    if (companies.size >= maxRemembered) companies.clear()
    companies.set(issuer, id)
    return id
  }

  const find = async (issuer: string): Promise<LoadedShard | undefined> => {
    const { shards } = await current()
    const shard = shards.get(await idOf(issuer))
    if (shard === undefined) return undefined
    shard.key ??= issuer
    return hasKey(shard) ? shard : undefined
  }

  return {
    of: async (issuer) => {
      const found = await find(issuer).catch(unlessSplit)
      if (found !== undefined) return found
      // Of a split since the map was read.
      forget()
      const now = await find(issuer).catch(unlessSplit)
      if (now === undefined) throw splitFailure()
      return now
    },
    all: async () => {
      const { shards, at } = await current()
      const keyed = [...shards.values()].filter(hasKey)
      if (keyed.length < shards.size && performance.now() - at > incompleteMs) forget()
      return keyed
    },
    forget,
  }
}
