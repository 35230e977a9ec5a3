import type { Connection } from "@pixcharge/store-postgres"
import { distribute } from "@pixcharge/store-citus"
import { expect, it } from "vitest"
import { type Cluster, connectTo, fit, versions } from "./scriptedCluster.ts"

const refuseStatement: Connection["query"] = async ({ text }) => {
  throw new Error(`unexpected statement: ${text}`)
}

const untestedMessage = (place: string, found: string): string =>
  `${place} has ${found}, but this release was tested only with Citus 13.2 on PostgreSQL 15.`
const invalidNumber = (given: number): string =>
  `The number of shards must be an integer from 1 to 64000, not ${given}.`

it.each<[string, Partial<Cluster>, number | undefined, string]>([
  [
    "without Citus",
    { here: versions(null) },
    undefined,
    "The database has no Citus: run CREATE EXTENSION citus on every node.",
  ],
  [
    "with an untested Citus",
    { here: versions("14.0-1") },
    undefined,
    untestedMessage("The database", "Citus 14.0 on PostgreSQL 15"),
  ],
  [
    "with an untested PostgreSQL",
    { here: versions("13.2-1", 16) },
    undefined,
    untestedMessage("The database", "Citus 13.2 on PostgreSQL 16"),
  ],
  [
    "with a node of another release",
    { nodes: { ...fit.nodes, "10.0.0.2:5432": versions("13.1-1") } },
    undefined,
    untestedMessage("Node 10.0.0.2:5432", "Citus 13.1 on PostgreSQL 15"),
  ],
  [
    "with a node without Citus",
    { nodes: { ...fit.nodes, "10.0.0.2:5432": versions(null) } },
    undefined,
    "Node 10.0.0.2:5432 has no Citus: run CREATE EXTENSION citus on every node.",
  ],
  [
    "with a silent node",
    { nodes: { ...fit.nodes, "10.0.0.2:5432": null } },
    undefined,
    "Some nodes don't report their versions: check that each node runs and can be reached from the others.",
  ],
  [
    "over a worker's connection",
    { isCoordinator: false },
    undefined,
    "This is a connection to a worker: distribute tables over a connection to the coordinator.",
  ],
  [
    "that doesn't know its coordinator",
    { knowsCoordinator: false },
    undefined,
    "The cluster doesn't know its coordinator: run citus_set_coordinator_host.",
  ],
  [
    "without a node for shards",
    { shardNodes: 0 },
    undefined,
    "The cluster has no node for shards: run citus_add_node for each worker.",
  ],
  ["for no shard", {}, 0, invalidNumber(0)],
  ["for half a shard", {}, 1.5, invalidNumber(1.5)],
  ["for too many shards", {}, 64_001, invalidNumber(64_001)],
  [
    "with another number of shards",
    {},
    7,
    "The schema has 6 shards already: split them with Citus's own functions, and omit the number.",
  ],
])("distribute refuses a cluster %s", async (_, flaw, shards, message) => {
  const db = connectTo({ ...fit, ...flaw }, refuseStatement)
  await expect(distribute(db, { ...(shards !== undefined && { shards }) })).rejects.toMatchObject({
    _tag: "CitusUnusable",
    message,
  })
})

it.each([undefined, 6])("distribute continues on a flawless cluster, for %s shards", async (shards) => {
  const distributing = distribute(connectTo(fit, refuseStatement), { ...(shards !== undefined && { shards }) })
  await expect(distributing).rejects.not.toMatchObject({ _tag: "CitusUnusable" })
})
