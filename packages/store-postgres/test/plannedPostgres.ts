import type pg from "pg"
import { realPostgres } from "@pixcharge/verify/postgres"
import type { Sql } from "../src/sql/Sql.ts"

const settings = {
  // ANALYZE reads 300 rows for each: all rows of a test's tables, because a sample would be another one each time.
  default_statistics_target: 300,
  seq_page_cost: 1,
  random_page_cost: 4,
  cpu_tuple_cost: 0.01,
  cpu_index_tuple_cost: 0.005,
  cpu_operator_cost: 0.0025,
  effective_cache_size: "4GB",
  work_mem: "4MB",
  max_parallel_workers_per_gather: 0,
  jit: "off",
}

/** A session's options: the costs by which Postgres plans, the same on every version and machine. */
export const planOptions = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(" ")

export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly Filter?: string
  readonly "Join Filter"?: string
  readonly "Actual Loops": number
  readonly "Actual Rows": number
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<PlanNode>
}

export const planNodes = (plan: PlanNode): ReadonlyArray<PlanNode> => [plan, ...(plan.Plans ?? []).flatMap(planNodes)]

const blocksOf = (node: PlanNode): number => node["Shared Hit Blocks"] + node["Shared Read Blocks"]

/** What a statement really touched; its changes are taken back. */
const explainOn = async (pool: pg.Pool, { text }: Sql, values: ReadonlyArray<unknown>) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values])
    const plan = rows[0]["QUERY PLAN"][0].Plan as PlanNode
    const nodes = planNodes(plan)
    return {
      blocks: blocksOf(plan),
      /** The blocks read to find rows. A change's own vary, because its rows lie where there is space. */
      readBlocks:
        plan["Node Type"] === "ModifyTable"
          ? (plan.Plans ?? []).reduce((sum, node) => sum + blocksOf(node), 0)
          : blocksOf(plan),
      scanned: nodes.flatMap((node) => (node["Node Type"] === "Seq Scan" ? [node["Relation Name"]] : [])),
      /** Of the blocks, those of one table and the index by which it was read. */
      blocksOf: (table: string) =>
        nodes.filter((node) => node["Relation Name"] === table).reduce((sum, node) => sum + blocksOf(node), 0),
      indexes: new Set(nodes.map((node) => node["Index Name"])),
      tables: new Set(nodes.flatMap((node) => node["Relation Name"] ?? [])),
      /** Tables that were read, and not only might have been. */
      read: new Set(nodes.flatMap((node) => (node["Actual Loops"] > 0 && node["Relation Name"]) || [])),
    }
  } finally {
    await client.query("ROLLBACK")
    client.release()
  }
}

/**
 * Fills tables in one transaction, so that each row lies at the same place each time, and tells the planner. In several, the clock
 * and other databases' transactions would decide whether the space of updated rows is reused, and so how large a table gets.
 */
const fillOn = async (pool: pg.Pool, insert: (client: pg.PoolClient) => Promise<unknown>) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    await insert(client)
    await client.query("COMMIT")
    await client.query("VACUUM ANALYZE")
  } finally {
    client.release()
  }
}

/** An empty database of its own, whose planner knows only what the test tells it. Ids that a test makes are the same each time. */
export const plannedPostgres = async () => {
  const pool = await realPostgres({ options: planOptions })
  return {
    pool,
    fill: (insert: (client: pg.PoolClient) => Promise<unknown>) => fillOn(pool, insert),
    explain: (sql: Sql, values: ReadonlyArray<unknown>) => explainOn(pool, sql, values),
  }
}
