import { postgresDirectory } from "@pixcharge/store-postgres"
import { citusStore } from "@pixcharge/store-citus"
import { httpConformanceSuite } from "@pixcharge/testkit/conformance"
import { chargeModelSuite, storeSuite } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import type pg from "pg"
import { beforeAll, describe } from "vitest"
import { directorySuitesAt, eventDeliveryAt, secrets } from "../postgres.ts"
import { adminPool, citusUrl, findWorkers, nodePool } from "./cluster.ts"
import { distributedSchema } from "./distributedSchema.ts"
import { mounts } from "./mounts.ts"

const admin = adminPool()
const [worker] = await findWorkers(admin)
if (worker === undefined) throw new Error("the cluster has workers")

/** Runs all suites through one node. */
const runSuites = async (place: string, db: pg.Pool): Promise<void> => {
  const { schema, hooks, emptyDirectory } = await distributedSchema(admin, `suites_${place}`)
  const at = { db, schema, migrations: "check" } as const
  const store = citusStore(at)
  const name = `Citus, from the ${place}`
  storeSuite(name, store, hooks)
  // Few histories, for each is hundreds of statements.
  chargeModelSuite(name, store, { ...hooks, histories: 2 })
  const directory = postgresDirectory({ ...at, ...secrets })
  directorySuitesAt(name, { directory, store, emptied: emptyDirectory })
  describe("events", () => {
    beforeAll(() => Effect.runPromise(hooks.reset ?? Effect.void))
    eventDeliveryAt(name, store, admin, schema)
  })
  for (const [binding, mount] of Object.entries(mounts)) {
    describe(binding, () => {
      // What the one before has left is no new company's.
      beforeAll(() => Effect.runPromise(hooks.reset ?? Effect.void))
      httpConformanceSuite(name, mount, { store })
    })
  }
}

const { hostname: host, port } = new URL(citusUrl)
// As many as a host has: some tests send a thousand statements at once.
const connections = 10
await runSuites("coordinator", nodePool({ host, port: Number(port) }, { connections }))
await runSuites("worker", nodePool(worker, { connections }))
