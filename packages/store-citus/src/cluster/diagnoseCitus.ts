import type { Finding } from "@pixcharge/core"
import type { ReadyOptions, Connection } from "@pixcharge/store-postgres"
import {
  schemaName,
  type Database,
  makeDatabase,
  repeatable,
  numberIn,
  diagnoseDatabase,
} from "@pixcharge/store-postgres/internal"
import { CitusUnusable } from "../shards/Shards.ts"
import { checkVersions } from "./checkCluster.ts"
import { citusRights, distributeCommand, isWhole, readDistribution } from "./distribution.ts"

const check = "citus"

const diagnoseCluster = async (db: Connection, options: ReadyOptions): Promise<Finding> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  const { citus, postgres } = await checkVersions(db, schema)
  const found = await readDistribution(database, schema)
  if (!isWhole(found)) {
    const message = `schema ${schema} is not distributed as this release needs it: run \`${distributeCommand}\``
    return { check, status: "failed", message }
  }
  const { pairs, broken } = await readHealth(database)
  return broken > 0
    ? {
        check,
        status: "failed",
        message: `${broken} of ${pairs} connections between nodes fail: check that each node runs`,
      }
    : {
        check,
        status: "ok",
        message: `Citus ${citus} on PostgreSQL ${postgres} holds schema ${schema} in ${found.shards} shards`,
      }
}

const describeFailure = (error: unknown): Finding => ({
  check,
  status: "failed",
  message: error instanceof CitusUnusable ? error.message.replace(/\.$/, "") : "the cluster doesn't report its state",
})

export const diagnoseCitus = async (db: Connection, options: ReadyOptions): Promise<ReadonlyArray<Finding>> => {
  const found = await diagnoseDatabase(db, options, citusRights)
  if (found.some(({ status }) => status === "failed")) return found
  return [...found, await diagnoseCluster(db, options).catch(describeFailure)]
}

const findHealth = repeatable(
  "SELECT count(*) AS pairs, count(*) FILTER (WHERE result IS NOT TRUE) AS broken FROM citus_check_cluster_node_health()",
)

const readHealth = async ({ read }: Database): Promise<{ readonly pairs: number; readonly broken: number }> => {
  const [row = {}] = await read(findHealth, [])
  return { pairs: numberIn(row, "pairs"), broken: numberIn(row, "broken") }
}
