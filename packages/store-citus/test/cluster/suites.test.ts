import { postgresDirectory } from "@pixcharge/store-postgres"
import { citusStore } from "@pixcharge/store-citus"
import { httpConformanceSuite } from "@pixcharge/adapter-tests/conformance"
import { callbackFetch } from "@pixcharge/callback-fetch"
import {
  callbackEndpointsSuite,
  chargeModelSuite,
  companyDirectorySuite,
  type DeliverySurroundings,
  directoryAdminSuite,
  directoryAuditSuite,
  directoryUnderTest,
  eventDeliverySuite,
  storeSuite,
} from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type pg from "pg"
import { beforeAll, describe } from "vitest"
import { adminPool, citusUrl, findWorkers, nodePool } from "./cluster.ts"
import { distributedSchema } from "./distributedSchema.ts"
import { mounts } from "./mounts.ts"

const admin = adminPool()
const secrets = {
  pepper: [{ kid: "p1", secret: "a pepper that no database knows!" }],
  sealingKey: [{ kid: "s1", secret: "a key that seals callback secrets" }],
} as const
const [worker] = await findWorkers(admin)
if (worker === undefined) throw new Error("expected workers in the cluster")

const runSuites = async (place: string, db: pg.Pool): Promise<void> => {
  const { schema, hooks, emptyDirectory } = await distributedSchema(admin, `suites_${place}`)
  const at = { db, schema, migrations: "check" } as const
  const store = citusStore(at)
  const name = `Citus, from the ${place}`
  storeSuite(name, store, hooks)
  // Runs few histories, because each history needs hundreds of statements.
  chargeModelSuite(name, store, { ...hooks, histories: 2 })
  const directory = postgresDirectory({ ...at, ...secrets })
  const emptied = Effect.andThen(emptyDirectory, directoryUnderTest(directory))
  companyDirectorySuite(name, emptied)
  callbackEndpointsSuite(name, emptied)
  directoryAdminSuite(name, emptied)
  directoryAuditSuite(name, () => Layer.unwrap(Effect.as(emptyDirectory, Layer.merge(directory, store))))
  describe("events", () => {
    beforeAll(() => Effect.runPromise(hooks.reset ?? Effect.void))
    const text = `UPDATE ${schema}.queue_leases SET lease_until = now() - interval '1 s'`
    const delivery = ({ ca }: DeliverySurroundings) =>
      callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any", ca })
    eventDeliverySuite(name, { store, delivery, endLeases: Effect.promise(() => admin.query(text)) })
  })
  for (const [binding, mount] of Object.entries(mounts)) {
    describe(binding, () => {
      // Otherwise an earlier suite's rows would belong to this suite's companies.
      beforeAll(() => Effect.runPromise(hooks.reset ?? Effect.void))
      httpConformanceSuite(name, mount, { store })
    })
  }
}

const { hostname: host, port } = new URL(citusUrl)
// Some tests send a thousand statements together.
const connections = 10
await runSuites("coordinator", nodePool({ host, port: Number(port) }, { connections }))
await runSuites("worker", nodePool(worker, { connections }))
