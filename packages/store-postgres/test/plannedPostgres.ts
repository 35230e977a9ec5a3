import type pg from "pg"
import { realPostgres } from "@pixcharge/verify/postgres"
import type { Sql } from "../src/sql/Sql.ts"

const settings = {
  // With this target, ANALYZE reads all rows of a test's tables. Smaller samples would vary.
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

/** Makes the planner's costs the same on every version and machine. */
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
  readonly "WAL Records"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

export const planNodes = (plan: PlanNode): ReadonlyArray<PlanNode> => [plan, ...(plan.Plans ?? []).flatMap(planNodes)]

const blocksOf = (node: PlanNode): number => node["Shared Hit Blocks"] + node["Shared Read Blocks"]

const explainOn = async (pool: pg.Pool, { text }: Sql, values: ReadonlyArray<unknown>) => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values])
    const plan = rows[0]["QUERY PLAN"][0].Plan as PlanNode
    const nodes = planNodes(plan)
    return {
      blocks: blocksOf(plan),
      /** Excludes the blocks that a change writes: they vary with free space. */
      readBlocks:
        plan["Node Type"] === "ModifyTable"
          ? (plan.Plans ?? []).reduce((sum, node) => sum + blocksOf(node), 0)
          : blocksOf(plan),
      scanned: nodes.flatMap((node) => (node["Node Type"] === "Seq Scan" ? [node["Relation Name"]] : [])),
      blocksOf: (table: string) =>
        nodes.filter((node) => node["Relation Name"] === table).reduce((sum, node) => sum + blocksOf(node), 0),
      indexes: new Set(nodes.map((node) => node["Index Name"])),
      tables: new Set(nodes.flatMap((node) => node["Relation Name"] ?? [])),
      /** Excludes tables in branches of the plan that didn't run. */
      read: new Set(nodes.flatMap((node) => (node["Actual Loops"] > 0 && node["Relation Name"]) || [])),
    }
  } finally {
    await client.query("ROLLBACK")
    client.release()
  }
}

/** Fills tables in one transaction, because the places of rows must not depend on the clock or on other databases. */
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

/** An empty database whose planner knows only the test's statistics. */
export const plannedPostgres = async () => {
  const pool = await realPostgres({ options: planOptions })
  return {
    pool,
    fill: (insert: (client: pg.PoolClient) => Promise<unknown>) => fillOn(pool, insert),
    explain: (sql: Sql, values: ReadonlyArray<unknown>) => explainOn(pool, sql, values),
  }
}
