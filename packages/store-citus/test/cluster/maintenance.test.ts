import { distribute, maintenance } from "@pixcharge/store-citus"
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

  it(`maintenance over ${name} deletes only old deliveries, in every shard`, async () => {
    await distribute(admin, { schema, shards })
    await admin.query(
      `INSERT INTO ${schema}.settled_deliveries (
        issuer, event_id, endpoint_id, event, kind, occurred_at, charge_id, position, attempts, recorded, status, settled_at
      )
      SELECT (10 + n) || '222333000181', 'evt', 'loja', '{}', 'paid', t, gen_random_uuid(), 2, 1, 1, 'delivered', t
      FROM generate_series(0, 59) n, LATERAL (
        SELECT to_timestamp($1) - CASE n % 2 WHEN 0 THEN 40 ELSE 20 END * interval '1 day' AS t
      ) m`,
      [now / 1_000],
    )
    const settledBefore = now - 30 * dayMs
    expect(await maintenance(db, { schema, settledBefore })).toEqual({ purgedDeliveries: 30 })
    expect(await maintenance(db, { schema, settledBefore })).toEqual({ purgedDeliveries: 0 })
    const remaining = await admin.query(`SELECT count(*)::int AS count FROM ${schema}.settled_deliveries`)
    expect(remaining.rows).toEqual([{ count: 30 }])
  })
}
