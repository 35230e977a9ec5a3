import { migrate } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-postgres/citus"
import pg from "pg"
import type { Span } from "./callsWithin.ts"
import type { Cluster, ClusterNode } from "./Cluster.ts"
import { findFlaws } from "./findFlaws.ts"
import { openWorld } from "./openWorld.ts"
import { readRows } from "./readRows.ts"

/**
 * A statement waits 15 s for its answer. What is repeatable is sent again within these 15 s, and a call may have to wait
 * for the statement before it, and for another one to take its place.
 */
const longestMs = 45_000

const shards = 12
const companies = 24

/** A distributed schema of its own, with a host at each of these nodes and companies on all workers. */
export const openChaos = async (cluster: Cluster, hostsAt: ReadonlyArray<ClusterNode>) => {
  const schema = `chaos_${crypto.randomUUID().slice(0, 8)}`
  const { pool: administrator } = cluster.coordinator
  await migrate(administrator, { schema })
  await distribute(administrator, { schema, shards })
  const pools = hostsAt.map(({ url }) => new pg.Pool({ connectionString: url, max: 20 }))
  const world = await openWorld(
    schema,
    pools.map((db, index) => ({
      name: (hostsAt[index] as ClusterNode).name,
      db,
      store: citusStore({ db, schema, migrations: "check" }),
    })),
    companies,
  )
  return {
    ...world,
    schema,
    /** What contradicts the ledger, once the load has stopped; events may be told again for the spans of interruptions. */
    flaws: async (interruptions: ReadonlyArray<Span>): Promise<ReadonlyArray<string>> => {
      await world.drain()
      const rows = await readRows(await cluster.places(schema, world.issuers))
      return findFlaws(world.ledger, rows, { longestMs, interruptions })
    },
    close: async () => {
      await world.close()
      await Promise.all(pools.map((pool) => pool.end()))
      await administrator.query(`DROP SCHEMA ${schema} CASCADE`)
    },
  }
}

/** What `openChaos` makes. */
export type Chaos = Awaited<ReturnType<typeof openChaos>>
