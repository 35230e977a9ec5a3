import pg from "pg"
import { findNodeProcess, type NodeProcess } from "./NodeProcess.ts"
import type { Place } from "./readRows.ts"

/** A node of the cluster. */
export interface ClusterNode {
  /** Citus's number of its group; the coordinator's is 0. */
  readonly group: number
  /** Host and port. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly url: string
  /** To look at it with; hosts have pools of their own. */
  readonly pool: pg.Pool
}

/** A shard of one table, and where it lies. */
interface Placement {
  readonly id: string
  readonly table: string
  readonly group: number
}

const placements = `SELECT s.shardid::text AS id, c.relname AS table, p.groupid AS group
  FROM pg_dist_shard s
  JOIN pg_dist_partition d USING (logicalrelid)
  JOIN pg_class c ON c.oid = s.logicalrelid
  JOIN pg_dist_placement p USING (shardid)
  WHERE c.relnamespace = to_regnamespace($1) AND d.partmethod = 'h'
  ORDER BY s.shardid`

const homes = `SELECT issuer, c.relname AS table, get_shard_id_for_distribution_column(c.oid, issuer)::text AS id
  FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid, unnest($2::text[]) AS issuer
  WHERE c.relnamespace = to_regnamespace($1) AND d.partmethod = 'h'`

/**
 * The function takes the numbers of nodes, not of their groups. Writes are stopped: amid updates, Citus 13.2.2 has been seen to
 * copy without end, or to crash the worker, where a split lets them go on.
 */
const splitInHalves = `SELECT citus_split_shard_by_split_points(
    shardid,
    ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text],
    ARRAY(SELECT nodeid FROM unnest($2::int[]) WITH ORDINALITY AS u (groupid, n) JOIN pg_dist_node USING (groupid) ORDER BY n),
    'block_writes')
  FROM pg_dist_shard WHERE shardid = $1`

const openNode = (url: string, group: number, host: string, port: number): ClusterNode => {
  const address = new URL(url)
  address.host = `${host}:${port}`
  const pool = new pg.Pool({ connectionString: address.href, max: 4 })
  pool.on("error", () => undefined)
  return { group, name: `${host}:${port}`, host, port, url: address.href, pool }
}

/** A Citus cluster, by the URL of its coordinator. */
export interface Cluster {
  readonly nodes: ReadonlyArray<ClusterNode>
  readonly coordinator: ClusterNode
  readonly workers: ReadonlyArray<ClusterNode>
  /** The shards of the charges of a schema. */
  readonly shards: (schema: string) => Promise<ReadonlyArray<Placement>>
  /** Every shard of every distributed table of a schema, and which of these companies belong there. */
  readonly places: (schema: string, issuers: ReadonlyArray<string>) => Promise<ReadonlyArray<Place>>
  /** The id of each company's shard of the charges. */
  readonly homes: (schema: string, issuers: ReadonlyArray<string>) => Promise<ReadonlyMap<string, string>>
  /** The worker that has each company's shard. */
  readonly owners: (schema: string, issuers: ReadonlyArray<string>) => Promise<ReadonlyMap<string, ClusterNode>>
  /** Moves a shard, with those that are co-located. */
  readonly move: (shard: Placement, to: ClusterNode, mode: "force_logical" | "block_writes") => Promise<void>
  /** Splits a shard in two halves, on two nodes. */
  readonly split: (shard: Placement, nodes: readonly [ClusterNode, ClusterNode]) => Promise<void>
  /** Gives a company a shard of its own. */
  readonly isolate: (schema: string, issuer: string) => Promise<void>
  /** Spreads the shards evenly, as the cluster's own background job; resolves at its end. */
  readonly rebalance: () => Promise<void>
  /** The shards that are being moved, with those that are co-located. */
  readonly moving: () => Promise<ReadonlyArray<string>>
  readonly processOf: (node: ClusterNode) => Promise<NodeProcess>
  readonly close: () => Promise<void>
}

/** Connects to every node. */
export const openCluster = async (url: string): Promise<Cluster> => {
  const first = new pg.Pool({ connectionString: url, max: 1 })
  const { rows } = await first.query<{ group: number; host: string; port: number }>(
    `SELECT groupid AS group, nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
  )
  await first.end()
  const nodes = rows.map(({ group, host, port }) => openNode(url, group, host, port))
  const coordinator = nodes.find(({ group }) => group === 0)
  if (coordinator === undefined) throw new Error("the coordinator is not in pg_dist_node: citus_set_coordinator_host")
  const { pool } = coordinator
  const nodeOf = (group: number) => nodes.find((node) => node.group === group) as ClusterNode
  const allShards = async (schema: string) => (await pool.query<Placement>(placements, [schema])).rows
  const homesOf = async (schema: string, issuers: ReadonlyArray<string>) =>
    (await pool.query<{ issuer: string; table: string; id: string }>(homes, [schema, issuers])).rows

  const places: Cluster["places"] = async (schema, issuers) => {
    const home = new Set((await homesOf(schema, issuers)).map(({ issuer, id }) => `${issuer} ${id}`))
    return (await allShards(schema)).map(({ id, table, group }) => ({
      table,
      name: `${table}_${id} on ${nodeOf(group).name}`,
      relation: `"${schema}"."${table}_${id}"`,
      pool: nodeOf(group).pool,
      isHomeOf: (issuer) => home.has(`${issuer} ${id}`),
    }))
  }

  const shards: Cluster["shards"] = async (schema) =>
    (await allShards(schema)).filter(({ table }) => table === "charges")

  const homesOfCharges: Cluster["homes"] = async (schema, issuers) => {
    const own = (await homesOf(schema, issuers)).filter(({ table }) => table === "charges")
    return new Map(own.map(({ issuer, id }) => [issuer, id]))
  }

  return {
    nodes,
    coordinator,
    workers: nodes.filter((node) => node !== coordinator),
    shards,
    places,
    homes: homesOfCharges,
    owners: async (schema, issuers) => {
      const groups = new Map((await shards(schema)).map(({ id, group }) => [id, group]))
      const own = await homesOfCharges(schema, issuers)
      return new Map([...own].map(([issuer, id]) => [issuer, nodeOf(groups.get(id) as number)]))
    },
    move: async ({ id, group }, to, mode) => {
      const from = nodeOf(group)
      await pool.query("SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := $6)", [
        id,
        from.host,
        from.port,
        to.host,
        to.port,
        mode,
      ])
    },
    split: async ({ id }, ends) => {
      await pool.query(splitInHalves, [id, ends.map(({ group }) => group)])
    },
    isolate: async (schema, issuer) => {
      await pool.query(
        "SELECT isolate_tenant_to_new_shard($1::regclass, $2::text, 'CASCADE', shard_transfer_mode := 'block_writes')",
        [`${schema}.charges`, issuer],
      )
    },
    rebalance: async () => {
      await pool.query("SELECT citus_rebalance_start(shard_transfer_mode := 'force_logical')")
      await pool.query("SELECT citus_rebalance_wait()")
    },
    moving: async () => {
      const moved = await pool.query<{ id: string }>(
        "SELECT shardid::text AS id FROM get_rebalance_progress() WHERE progress = 1",
      )
      return moved.rows.map(({ id }) => id)
    },
    processOf: ({ pool: connected }) => findNodeProcess(connected),
    close: async () => void (await Promise.all(nodes.map((node) => node.pool.end()))),
  }
}
