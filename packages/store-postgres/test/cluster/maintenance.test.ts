import { ChargeStore } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { maintenance } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-postgres/citus"
import { aPendingCharge } from "@pixcharge/testkit/fixtures"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { adminPool, findWorkers, freshSchema, nodePool } from "./cluster.ts"

const dayMs = 86_400_000
const now = Date.UTC(2026, 5, 1)
const shards = 3
const admin = adminPool()
const [worker = { host: "", port: 0 }] = await findWorkers(admin)

const nodes = [
  { name: "the coordinator", db: admin },
  { name: "a worker", db: nodePool(worker) },
]

for (const { name, db } of nodes) {
  const schema = freshSchema(admin, "maintained")

  it(`maintenance over ${name} archives what is old in every shard, and nothing else`, async () => {
    await distribute(admin, { schema, shards })
    const charges = Array.from({ length: 60 }, (_, at) => {
      const moment = now - (at % 2 === 0 ? 40 : 20) * dayMs
      const issuer = `${10 + at}222333000181` as Cnpj
      return aPendingCharge({ issuer, createdAt: moment, updatedAt: moment, payableUntil: moment, watchUntil: moment })
    })
    const stored = Effect.gen(function* () {
      const store = yield* ChargeStore
      for (const charge of charges) yield* store.insert(charge)
      const older = yield* Effect.promise(() => maintenance(db, { schema, settledBefore: now - 30 * dayMs }))
      const again = yield* Effect.promise(() => maintenance(db, { schema, settledBefore: now - 30 * dayMs }))
      return { older, again, found: yield* Effect.forEach(charges, ({ issuer, id }) => store.find(issuer, id)) }
    })
    const { older, again, found } = await Effect.runPromise(Effect.provide(stored, citusStore({ db, schema })))
    expect(older).toEqual({ archivedCharges: 30, purgedDeliveries: 0 })
    expect(again).toEqual({ archivedCharges: 0, purgedDeliveries: 0 })
    expect(found).toEqual(charges)
    const archived = await admin.query(
      `SELECT result::int > 0 AS some
       FROM run_command_on_shards('${schema}.charges', 'SELECT count(*) FROM %s WHERE br_code IS NULL')`,
    )
    expect(archived.rows).toEqual(Array.from({ length: shards }, () => ({ some: true })))
  })
}
