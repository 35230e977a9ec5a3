import { citusStore } from "@pixcharge/store-postgres/citus"
import { httpConformanceSuite } from "@pixcharge/testkit/conformance"
import { chargeModelSuite, storeSuite } from "@pixcharge/testkit/suites"
import pg from "pg"
import { afterAll } from "vitest"
import { testCluster } from "../chaos/test/testCluster.ts"
import { distributedSchema } from "./distributedSchema.ts"
import { mounts } from "./mounts.ts"

const cluster = await testCluster()
const [worker] = cluster.workers
if (worker === undefined) throw new Error("the cluster has workers")

for (const [place, { url }] of Object.entries({ coordinator: cluster.coordinator, worker })) {
  const { schema, hooks } = await distributedSchema(cluster, `suites_${place}`)
  const db = new pg.Pool({ connectionString: url, max: 20 })
  afterAll(() => db.end())
  const store = citusStore({ db, schema, migrations: "check" })
  const name = `Citus, from the ${place}`
  storeSuite(name, store, hooks)
  // Few histories, for each is hundreds of statements.
  chargeModelSuite(name, store, { ...hooks, histories: 2 })
  for (const [binding, mount] of Object.entries(mounts)) {
    httpConformanceSuite(`${name}, ${binding}`, mount, { store })
  }
}
