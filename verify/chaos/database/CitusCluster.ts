import { randomUUID } from "node:crypto"
import { migrate } from "@pixcharge/store-postgres"
import { distribute } from "@pixcharge/store-citus"
import pg from "pg"
import { setTimeout as sleep } from "node:timers/promises"
import { tables, type TablePlace } from "../judge/readRows.ts"
import type { Database, DatabaseFault, Surroundings } from "./Database.ts"
import { findNodeProcess } from "./NodeProcess.ts"

export interface ClusterNode {
  /** The number that Citus gives the node's group. The coordinator's is 0. */
  readonly group: number
  readonly host: string
  readonly port: number
  readonly url: string
}

interface Shard {
  readonly id: string
  readonly table: string
  readonly group: number
}

const shardCount = 12
const loopback = new Set(["127.0.0.1", "localhost", "::1"])
const downMs = 12_000

const shardsOf = `SELECT s.shardid::text AS id, c.relname AS table, p.groupid AS group
  FROM pg_dist_shard s
  JOIN pg_dist_partition d USING (logicalrelid)
  JOIN pg_class c ON c.oid = s.logicalrelid
  JOIN pg_dist_placement p USING (shardid)
  WHERE c.relnamespace = to_regnamespace($1) AND d.partmethod = 'h'
  ORDER BY s.shardid`

const homesOf = `SELECT issuer, c.relname AS table, get_shard_id_for_distribution_column(c.oid, issuer)::text AS id
  FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid, unnest($2::text[]) AS issuer
  WHERE c.relnamespace = to_regnamespace($1) AND d.partmethod = 'h'`

/**
 * The parameters are nodes, not groups. It blocks writes, because otherwise Citus 13.2.2 can copy without end or crash
 * the worker.
 */
const splitInHalves = `SELECT citus_split_shard_by_split_points(
    shardid,
    ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text],
    ARRAY(SELECT nodeid FROM unnest($2::int[]) WITH ORDINALITY AS u (groupid, n) JOIN pg_dist_node USING (groupid) ORDER BY n),
    'block_writes')
  FROM pg_dist_shard WHERE shardid = $1`

const primaries = `SELECT groupid AS group, nodename AS host, nodeport AS port FROM pg_dist_node
  WHERE noderole = 'primary' ORDER BY groupid`

export class CitusCluster implements Database {
  readonly store = "citus"
  readonly schema = `chaos_${randomUUID().slice(0, 8)}`
  readonly coordinator: ClusterNode
  readonly workers: ReadonlyArray<ClusterNode>
  readonly targets
  readonly pool: pg.Pool
  readonly faults: Readonly<Record<string, DatabaseFault>>

  private constructor(pool: pg.Pool, nodes: ReadonlyArray<ClusterNode>) {
    const coordinator = nodes.find(({ group }) => group === 0)
    if (coordinator === undefined) throw new Error("the coordinator is not in pg_dist_node: citus_set_coordinator_host")
    this.pool = pool
    this.coordinator = coordinator
    this.workers = nodes.filter((node) => node !== coordinator)
    // No host connects to the last worker.
    this.targets = [coordinator, ...this.workers.slice(0, 2)]
    this.faults = this.#makeFaults()
  }

  static async open(url: string): Promise<CitusCluster> {
    const pool = new pg.Pool({ connectionString: url, max: 4 })
    pool.on("error", () => undefined)
    const { rows } = await pool.query<Omit<ClusterNode, "url">>(primaries)
    const nodes = rows.map((node) => {
      const address = new URL(url)
      address.host = `${node.host}:${node.port}`
      return { ...node, url: address.href }
    })
    const cluster = new CitusCluster(pool, nodes)
    await migrate(pool, { schema: cluster.schema })
    await distribute(pool, { schema: cluster.schema, shards: shardCount })
    return cluster
  }

  #makeFaults(): CitusCluster["faults"] {
    const pick = async ({ random }: Surroundings) => {
      const shard = random.pick((await this.shards("charges")) as [Shard, ...Array<Shard>])
      const others = this.workers.filter(({ group }) => group !== shard.group)
      return { shard, to: random.pick(others as [ClusterNode, ...Array<ClusterNode>]) }
    }
    return {
      moveShard: async (around) => {
        const { shard, to } = await pick(around)
        await this.move(shard, to, around.random.chance(0.5) ? "force_logical" : "block_writes")
      },
      splitShard: async (around) => {
        const { shard, to } = await pick(around)
        await this.split(shard, to)
      },
      rebalance: () => this.rebalance(),
      killNode: ({ random }) =>
        this.kill(random.pick([this.coordinator, ...this.workers]), () => sleep(random.between(500, downMs))),
    }
  }

  findNode(group: number): ClusterNode {
    return [this.coordinator, ...this.workers].find((node) => node.group === group) as ClusterNode
  }

  async shards(table?: string): Promise<ReadonlyArray<Shard>> {
    const { rows } = await this.pool.query<Shard>(shardsOf, [this.schema])
    return table === undefined ? rows : rows.filter((shard) => shard.table === table)
  }

  async #homes(issuers: ReadonlyArray<string>) {
    return (await this.pool.query<{ issuer: string; table: string; id: string }>(homesOf, [this.schema, issuers])).rows
  }

  async homes(issuers: ReadonlyArray<string>): Promise<ReadonlyMap<string, string>> {
    const homes = await this.#homes(issuers)
    return new Map(homes.filter(({ table }) => table === "charges").map(({ issuer, id }) => [issuer, id]))
  }

  readonly places = async (issuers: ReadonlyArray<string>): Promise<ReadonlyArray<TablePlace>> => {
    const home = new Set((await this.#homes(issuers)).map(({ issuer, id }) => `${issuer} ${id}`))
    const judged = (await this.shards()).filter(({ table }) => tables.some((one) => one === table))
    return judged.map(({ id, table, group }) => ({
      table,
      name: `${table}_${id} on ${this.findNode(group).port}`,
      relation: `"${this.schema}"."${table}_${id}"`,
      url: this.findNode(group).url,
      isHome: (issuer) => home.has(`${issuer} ${id}`),
    }))
  }

  async move({ id, group }: Shard, to: ClusterNode, mode: "force_logical" | "block_writes"): Promise<void> {
    const from = this.findNode(group)
    const statement = "SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := $6)"
    await this.pool.query(statement, [id, from.host, from.port, to.host, to.port, mode])
  }

  async split({ id, group }: Shard, to: ClusterNode): Promise<void> {
    await this.pool.query(splitInHalves, [id, [group, to.group]])
  }

  async isolate(issuer: string): Promise<void> {
    const isolate =
      "isolate_tenant_to_new_shard($1::regclass, $2::text, 'CASCADE', shard_transfer_mode := 'block_writes')"
    await this.pool.query(`SELECT ${isolate}`, [`${this.schema}.charges`, issuer])
  }

  async rebalance(): Promise<void> {
    await this.pool.query("SELECT citus_rebalance_start(shard_transfer_mode := 'force_logical')")
    await this.pool.query("SELECT citus_rebalance_wait()")
  }

  async kill({ host, url }: ClusterNode, pause: () => Promise<unknown>): Promise<void> {
    if (!loopback.has(host)) throw new Error(`${host} is not on this machine, so its node is not killed`)
    const server = await findNodeProcess(url)
    await server.kill()
    await pause().finally(server.start)
  }

  readonly close = async (): Promise<void> => {
    await this.pool.query(`DROP SCHEMA ${this.schema} CASCADE`)
    await this.pool.end()
  }
}
