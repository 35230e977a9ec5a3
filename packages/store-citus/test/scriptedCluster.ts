import type { Connection, Statement } from "@pixcharge/store-postgres"
import { expect } from "vitest"
import { functionsVersion } from "../src/cluster/functions.sql.ts"
import { distributedTables, keyedTables, referenceTables } from "../src/cluster/distribution.ts"

/** The answers of a scripted cluster. The tests in `test/cluster` use a real cluster. */
export interface Cluster {
  readonly here: string
  /** Each node's versions; null for a silent node. */
  readonly nodes: Readonly<Record<string, string | null>>
  readonly isCoordinator: boolean
  readonly knowsCoordinator: boolean
  readonly shardNodes: number
  /** The number of shards of each table. */
  tables: Readonly<Record<string, number>>
  /** Undefined while there are no functions; a string is the query's SQLSTATE. */
  functions: number | string | undefined
  readonly broken: number
}

export const versions = (citus: string | null, postgres = 15): string => JSON.stringify({ citus, postgres })

const tablesIn = (shards: number): Cluster["tables"] =>
  Object.fromEntries([
    ...[...distributedTables, ...keyedTables].map((name) => [name, shards]),
    ...referenceTables.map((name) => [name, 1]),
  ])

export const fit: Cluster = {
  here: versions("13.2-1"),
  nodes: { "10.0.0.1:5432": versions("13.2-1"), "10.0.0.2:5432": versions("13.2-1") },
  isCoordinator: true,
  knowsCoordinator: true,
  shardNodes: 1,
  tables: tablesIn(6),
  functions: functionsVersion,
  broken: 0,
}

const listFunctions = ({ functions }: Cluster) => {
  if (typeof functions === "number") return { rows: [{ version: functions }] }
  throw Object.assign(new Error("no function"), { code: functions ?? "42883" })
}

/** `rest` answers the statements that don't concern the cluster. */
export const connectTo = (cluster: Cluster, rest: Connection["query"]): Connection => ({
  query: async (statement: Statement) => {
    const { text, values } = statement
    if (text.includes("run_command_on_all_nodes"))
      return { rows: Object.entries(cluster.nodes).map(([node, nodeVersions]) => ({ node, versions: nodeVersions })) }
    if (text.includes("server_version_num") && text.includes("citus")) return { rows: [{ versions: cluster.here }] }
    if (text.includes("citus_is_coordinator")) {
      const { isCoordinator, knowsCoordinator, shardNodes } = cluster
      return { rows: [{ is_coordinator: isCoordinator, knows_coordinator: knowsCoordinator, nodes: shardNodes }] }
    }
    if (text.includes("citus_check_cluster_node_health")) return { rows: [{ pairs: 9, broken: cluster.broken }] }
    if (text.includes("AS has_citus")) return { rows: [{ has_citus: true }] }
    if (text.includes("count(*) FROM pg_dist_shard")) {
      expect(values).toEqual(["pixcharge"])
      return { rows: Object.entries(cluster.tables).map(([name, shards]) => ({ name, shards })) }
    }
    if (text.startsWith("SELECT") && text.includes("functions_version")) return listFunctions(cluster)
    return rest(statement)
  },
})
