import type { Finding } from "@pixcharge/core"
import type { Connection } from "../Connection.ts"
import { makeDatabase } from "../database/Database.ts"
import { diagnoseDatabase } from "../diagnoseDatabase.ts"
import type { ReadyOptions } from "../ready.ts"
import { citusRights } from "../rights.ts"
import { schemaName } from "../SchemaName.ts"
import { checkVersions } from "./checkVersions.ts"
import { CitusUnusable } from "./CitusUnusable.ts"
import { readHealth } from "./readHealth.ts"
import { isWhole, readDistribution } from "./distribution.ts"

const check = "citus"

const diagnoseCluster = async (db: Connection, options: ReadyOptions): Promise<Finding> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  const { citus, postgres } = await checkVersions(db, schema)
  const found = await readDistribution(database, schema)
  if (!isWhole(found)) {
    const message = `schema ${schema} is not distributed as this release needs it: run \`npx -p @pixcharge/store-postgres pixcharge-postgres distribute\``
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
  message: error instanceof CitusUnusable ? error.message.replace(/\.$/, "") : "the cluster doesn't say how it is",
})

/** What `diagnoseDatabase` finds, and whether the schema is distributed and the nodes reach each other. */
export const diagnoseCitus = async (db: Connection, options: ReadyOptions): Promise<ReadonlyArray<Finding>> => {
  const found = await diagnoseDatabase(db, options, citusRights)
  if (found.some(({ status }) => status === "failed")) return found
  return [...found, await diagnoseCluster(db, options).catch(describeFailure)]
}
