import type { Database } from "../sql/Database.ts"
import { repeatable } from "../sql/Sql.ts"
import { isTrue, numberIn } from "../sql/values.ts"
import { CitusUnusable } from "./Shards.ts"

const findNodes = repeatable(`
SELECT citus_is_coordinator() AS is_coordinator,
  EXISTS (SELECT FROM pg_dist_node WHERE groupid = 0) AS knows_coordinator,
  (SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards) AS nodes`)

/** Refuses a node from which, or a cluster on which, nothing can be distributed. */
export const checkCoordinator = async ({ read }: Database): Promise<void> => {
  const [row = {}] = await read(findNodes, [])
  if (!isTrue(row["is_coordinator"])) {
    throw new CitusUnusable({
      message: "Tables are distributed over the coordinator's connection, and this is a worker's.",
    })
  }
  if (!isTrue(row["knows_coordinator"])) {
    throw new CitusUnusable({ message: "The cluster doesn't know its coordinator: run citus_set_coordinator_host." })
  }
  if (numberIn(row, "nodes") === 0) {
    throw new CitusUnusable({ message: "The cluster has no node for shards: run citus_add_node for each worker." })
  }
}
