import type { Database } from "../database/Database.ts"
import { repeatable } from "../database/Sql.ts"
import { numberIn } from "../database/values.ts"

const findHealth = repeatable(
  "SELECT count(*) AS pairs, count(*) FILTER (WHERE result IS NOT TRUE) AS broken FROM citus_check_cluster_node_health()",
)

/** Counts the pairs of nodes, and those that don't reach each other. */
export const readHealth = async ({ read }: Database): Promise<{ readonly pairs: number; readonly broken: number }> => {
  const [row = {}] = await read(findHealth, [])
  return { pairs: numberIn(row, "pairs"), broken: numberIn(row, "broken") }
}
