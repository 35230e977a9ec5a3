import type { Connection } from "@pixcharge/store-postgres"
import { makeDatabase, storeEffect, type SchemaName, makeStorePorts } from "@pixcharge/store-postgres/internal"
import { makeShardDatabase } from "./makeShardDatabase.ts"
import { type LoadedShard, ShardMap } from "./ShardMap.ts"
import type { ShardPorts, StoreShards } from "./Shards.ts"

/** The shards of a distributed schema, over a connection to any node. */
export const openShards = (db: Connection, schema: SchemaName): StoreShards => {
  const database = makeDatabase(db, schema)
  const map = new ShardMap(database)
  let opened = new Map<string, ShardPorts>()

  const open = (shard: LoadedShard): ShardPorts => {
    const known = opened.get(shard.id)
    if (known !== undefined) return known
    const made = { id: shard.id, ports: makeStorePorts(makeShardDatabase(database, schema, shard, () => map.forget())) }
    opened.set(shard.id, made)
    return made
  }

  const openAll = async (): Promise<ReadonlyArray<ShardPorts>> => {
    const all = (await map.all()).map(open)
    // Forgets the shards that were split.
    if (opened.size > all.length) opened = new Map(all.map((shard) => [shard.id, shard]))
    return all
  }

  return {
    find: (issuer) => storeEffect("shardOf", async () => open(await map.find(issuer))),
    all: storeEffect("shards", openAll),
  }
}
