import pg from "pg"
import { afterAll } from "vitest"

export const citusUrl = process.env["CITUS_URL"] ?? ""

const openPool = (options: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool(options)
  pool.on("error", () => {})
  afterAll(() => pool.end())
  return pool
}

/** A pool whose sessions can change the triggers of distributed tables. */
export const adminPool = (): pg.Pool =>
  openPool({ connectionString: citusUrl, options: "-c citus.enable_unsafe_triggers=on" })

export interface Node {
  readonly id: number
  readonly host: string
  readonly port: number
}

export const findWorkers = async (admin: pg.Pool): Promise<ReadonlyArray<Node>> => {
  const { rows } = await admin.query(
    `SELECT nodeid AS id, nodename AS host, nodeport AS port FROM pg_dist_node
     WHERE isactive AND shouldhaveshards ORDER BY nodeid`,
  )
  return rows
}

interface NodePoolOptions {
  readonly user?: string
  readonly database?: string
  readonly connections?: number
}

/** A pool of connections to a node, by default with the user and database of the coordinator's address. */
export const nodePool = (
  { host, port }: Pick<Node, "host" | "port">,
  { user, database, connections = 2 }: NodePoolOptions = {},
): pg.Pool => {
  const url = new URL(citusUrl)
  url.hostname = host
  url.port = String(port)
  if (user !== undefined) url.username = user
  if (database !== undefined) url.pathname = database
  return openPool({ connectionString: url.href, max: connections })
}

/** Returns a new schema name. The schema is dropped when the test file ends. */
export const freshSchema = (admin: pg.Pool, purpose: string): string => {
  const schema = `${purpose}_${crypto.randomUUID().slice(0, 8)}`
  afterAll(() => admin.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`))
  return schema
}

export const findShards = async (admin: pg.Pool, table: string) => {
  const { rows } = await admin.query(
    `SELECT s.shardid AS id, s.shardminvalue::integer AS first, s.shardmaxvalue::integer AS last,
       n.nodeid AS node, n.nodename AS host, n.nodeport AS port
     FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
     WHERE s.logicalrelid = $1::regclass ORDER BY 2`,
    [table],
  )
  return rows as ReadonlyArray<{
    readonly id: string
    readonly first: number
    readonly last: number
    readonly node: number
    readonly host: string
    readonly port: number
  }>
}
