import type { Database } from "../database/Database.ts"
import { repeatable } from "../database/Sql.ts"
import { isTrue, numberIn, textOr } from "../database/values.ts"
import { CitusUnusable } from "./CitusUnusable.ts"

/** Releases of Citus on which all suites were run: what shards are named, and how they move, is no interface of Citus's. */
export const triedVersions = ["13.2"]

const findExtension = repeatable(
  "SELECT (SELECT extversion FROM pg_catalog.pg_extension WHERE extname = 'citus') AS version",
)

/** Refuses a database without Citus, or with a version that was not tried; answers with the version. */
export const checkCitus = async ({ read }: Database): Promise<string> => {
  const [row] = await read(findExtension, [])
  const found = textOr(row?.["version"])
  if (found === undefined) {
    throw new CitusUnusable({ message: "The database has no Citus: run CREATE EXTENSION citus on every node." })
  }
  const [release = found] = found.split("-")
  if (!triedVersions.includes(release)) {
    const tried = triedVersions.join(", ")
    throw new CitusUnusable({ message: `Citus ${release} was not tried with this release, which knows ${tried}.` })
  }
  return release
}

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

const findHealth = repeatable(
  "SELECT count(*) AS pairs, count(*) FILTER (WHERE result IS NOT TRUE) AS broken FROM citus_check_cluster_node_health()",
)

/** Of all pairs of nodes, how many there are, and how many don't reach each other. */
export const clusterHealth = async ({
  read,
}: Database): Promise<{ readonly pairs: number; readonly broken: number }> => {
  const [row = {}] = await read(findHealth, [])
  return { pairs: numberIn(row, "pairs"), broken: numberIn(row, "broken") }
}
