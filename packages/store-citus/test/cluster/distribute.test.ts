import { migrate, postgresStore } from "@pixcharge/store-postgres"
import { citusStore, distribute } from "@pixcharge/store-citus"
import { StoreNotReady } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { migrateBy, migrations as steps } from "@pixcharge/store-postgres/internal"
import { adminPool, findShards, findWorkers, freshSchema, nodePool } from "./cluster.ts"

const admin = adminPool()
const [worker = { host: "", port: 0 }] = await findWorkers(admin)
const onWorker = nodePool(worker)

const count = async (table: string, db = admin): Promise<number> =>
  (await db.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count

const insertCharges = (schema: string, charges: number) =>
  admin.query(
    `INSERT INTO ${schema}.charges (issuer, id, transaction_id, amount_cents, created_at, payable_until, watch_until,
       state, version, updated_at)
     SELECT n::text, gen_random_uuid(), gen_random_uuid(), n, now(), now(), now(), 'pending', 1, now()
     FROM generate_series(1, $1::integer) n`,
    [charges],
  )

const insertCompany = (schema: string, cnpj: string) =>
  admin.query(
    `INSERT INTO ${schema}.companies (cnpj, name, city, pix_key, wallet_active, own_bank_domicile, grace_days)
     VALUES ($1, 'Loja', 'Recife', $1, true, false, 5)`,
    [cnpj],
  )

/** The distributed tables that still have local rows on the coordinator. */
const leftOvers = async (schema: string) =>
  (
    await admin.query(
      `SELECT c.relname FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid
       WHERE c.relnamespace = $1::regnamespace AND pg_relation_size(c.oid) > 0`,
      [schema],
    )
  ).rows

describe("a schema with rows", () => {
  const schema = freshSchema(admin, "filled")

  it("is distributed with its rows, without additional audit records", async () => {
    await migrate(admin, { schema })
    await insertCharges(schema, 500)
    await insertCompany(schema, "11222333000181")
    const { tables, shards } = await distribute(admin, { schema, shards: 6 })
    expect(shards).toBe(6)
    expect(tables).toHaveLength(19)
    expect(await count(`${schema}.charges`)).toBe(500)
    expect(await count(`${schema}.charges`, onWorker)).toBe(500)
    expect(await count(`${schema}.companies`, onWorker)).toBe(1)
    expect(await count(`${schema}.audit_log`)).toBe(1)
    expect(await leftOvers(schema)).toEqual([])
  })

  it("puts every shard of a company onto one node", async () => {
    const { rows } = await admin.query(
      `SELECT DISTINCT colocation_id FROM citus_tables WHERE table_name::text LIKE $1 AND citus_table_type = 'distributed'
       AND table_name <> $2::regclass`,
      // `payment_owners` is distributed by endToEndId.
      [`${schema}.%`, `${schema}.payment_owners`],
    )
    expect(rows).toHaveLength(1)
  })

  it("stays unchanged when it is distributed again", async () => {
    expect(await distribute(admin, { schema })).toEqual({ tables: [], shards: 6 })
    expect(await count(`${schema}.charges`)).toBe(500)
  })

  it("keeps its number of shards", async () => {
    await expect(distribute(admin, { schema, shards: 7 })).rejects.toThrow(
      "The schema has 6 shards already: split them with Citus's own functions, and omit the number.",
    )
  })

  it("protects its audit log on every shard, and keeps its triggers", async () => {
    await expect(admin.query(`DELETE FROM ${schema}.audit_log`)).rejects.toThrow("append-only")
    await expect(admin.query(`TRUNCATE ${schema}.audit_log`)).rejects.toThrow("append-only")
    await expect(admin.query(`TRUNCATE ${schema}.companies`)).rejects.toThrow("use DELETE")
    await expect(onWorker.query(`UPDATE ${schema}.audit_log SET kind = 'x'`)).rejects.toThrow("append-only")
  })

  it("protects its audit log on every node in sessions that switch triggers off", async () => {
    for (const pool of [admin, onWorker]) {
      const session = await pool.connect()
      try {
        await session.query("SET session_replication_role = replica")
        await expect(session.query(`TRUNCATE ${schema}.audit_log`)).rejects.toThrow("append-only")
      } finally {
        session.release(true)
      }
    }
    const { rows } = await admin.query(
      `SELECT DISTINCT result FROM run_command_on_shards('${schema}.audit_log',
        'SELECT tgenabled FROM pg_trigger WHERE tgrelid = ''%s''::regclass AND tgname LIKE ''append_only%%''')`,
    )
    expect(rows).toEqual([{ result: "A" }])
  })
})

describe("a run that failed half-way", () => {
  const schema = freshSchema(admin, "half")

  it("is finished by the next run", async () => {
    await migrate(admin, { schema })
    await insertCharges(schema, 50)
    // Citus refuses a unique index without the company.
    await admin.query(`CREATE UNIQUE INDEX in_the_way ON ${schema}.returns (id)`)
    await expect(distribute(admin, { schema, shards: 3 })).rejects.toThrow("cannot create constraint")
    expect(await findShards(admin, `${schema}.charges`)).toHaveLength(3)
    const failure = await Effect.runPromise(
      Effect.flip(Effect.scoped(Layer.build(citusStore({ db: admin, schema, migrations: "check" })))),
    )
    expect(failure).toBeInstanceOf(StoreNotReady)
    expect(failure.message).toContain("is not distributed as this release needs it")

    await admin.query(`DROP INDEX ${schema}.in_the_way`)
    const { tables } = await distribute(admin, { schema })
    expect(tables).not.toContain("charges")
    expect(tables).toContain("returns")
    expect(await count(`${schema}.charges`)).toBe(50)
    expect(await leftOvers(schema)).toEqual([])
  })
})

describe("a schema of an older release", () => {
  const schema = freshSchema(admin, "older")
  const next = {
    version: steps.length + 1,
    name: "a step of this test",
    readableFrom: steps.length,
    statements: `
ALTER TABLE @.charges ADD COLUMN newer text NOT NULL DEFAULT 'newer';
CREATE INDEX charges_newer ON @.charges (issuer, newer);`,
  }

  it("is migrated while it is distributed", async () => {
    await distribute(admin, { schema, shards: 3 })
    await insertCharges(schema, 50)
    expect(await migrateBy([...steps, next], admin, { schema })).toEqual([{ version: next.version, name: next.name }])
    const { rows } = await onWorker.query(`SELECT DISTINCT newer FROM ${schema}.charges`)
    expect(rows).toEqual([{ newer: "newer" }])
    expect(await count(`${schema}.charges`)).toBe(50)
  })

  it("has its new tables distributed when a host starts", async () => {
    await admin.query(`SELECT undistribute_table('${schema}.partial_refunds')`)
    await Effect.runPromise(Effect.scoped(Layer.build(citusStore({ db: admin, schema }))))
    expect(await findShards(admin, `${schema}.partial_refunds`)).toHaveLength(3)
  })
})

describe("an error in one sentence", () => {
  it("stops a host on an undistributed schema", async () => {
    const schema = freshSchema(admin, "plain")
    await migrate(admin, { schema })
    const failure = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(citusStore({ db: admin, schema })))))
    expect(failure.message).toBe(
      `The database can't be used: Schema "${schema}" is not distributed: run \`npx -p @pixcharge/store-citus pixcharge-citus distribute\`.`,
    )
    expect(
      (await admin.query("SELECT FROM pg_dist_partition WHERE logicalrelid = $1::regclass", [`${schema}.charges`]))
        .rows,
    ).toEqual([])
  })

  it("stops a host with the plain Postgres store on a distributed schema, at any node", async () => {
    const schema = freshSchema(admin, "shards")
    await distribute(admin, { schema, shards: 2 })
    for (const db of [admin, onWorker]) {
      for (const migrations of ["run", "check"] as const) {
        const store = postgresStore({ db, schema, migrations })
        const failure = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(store))))
        expect(failure.message).toBe(
          `The database can't be used: Schema "${schema}" is distributed by Citus: use @pixcharge/store-citus.`,
        )
      }
    }
  })

  it("stops a run over a worker's connection", async () => {
    await expect(distribute(onWorker, { schema: "nowhere" })).rejects.toThrow(
      "This is a connection to a worker: distribute tables over a connection to the coordinator.",
    )
  })

  it("rejects an invalid number of shards", async () => {
    await expect(distribute(admin, { schema: "nowhere", shards: 0 })).rejects.toThrow("from 1 to 64000, not 0")
  })
})
