import { type Connection, postgresDirectory, SqlFailure } from "@pixcharge/store-postgres"
import { Actor, ChargeStore, DirectoryAdmin } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import { makeDatabase, repeatable, schemaName } from "@pixcharge/store-postgres/internal"
import { citusStore, distribute } from "@pixcharge/store-citus"
import { aCancelledCharge, aChange, aPendingCharge } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeShardDatabase } from "../../src/shards/openShards.ts"
import { ShardMap } from "../../src/shards/ShardMap.ts"
import { adminPool, citusUrl, findShards, findWorkers, freshSchema, nodePool } from "./cluster.ts"

const admin = adminPool()
const workers = await findWorkers(admin)
const schema = freshSchema(admin, "guard")
await distribute(admin, { schema, shards: 2 })

const insert = repeatable(`
INSERT INTO @.queue_leases (issuer, endpoint_id, token, lease_until) VALUES ($1, $2, gen_random_uuid(), now())
RETURNING issuer, endpoint_id`)

const company = "11222333000181"

const open = async (connection: Connection = admin) => {
  const database = makeDatabase(connection, schemaName(schema))
  const map = new ShardMap(database)
  let splits = 0
  const shard = await map.find(company)
  const onShard = makeShardDatabase(database, schemaName(schema), shard, () => {
    splits++
    map.forget()
  })
  return { database, map, shard, onShard, splits: () => splits }
}

const place = async (id: string) => {
  const found = (await findShards(admin, `${schema}.charges`)).find((shard) => shard.id === id)
  if (found === undefined) throw new Error(`expected a shard with the id ${id}`)
  return found
}

/** Begins a change of the cluster in a transaction; returns a function that commits it. */
const beginChange = async (statement: string, values: Array<unknown>) => {
  const client = await admin.connect()
  await client.query("BEGIN")
  await client.query(statement, values)
  return async () => {
    await client.query("COMMIT")
    client.release()
  }
}

const settlesWithin = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), ms)),
  ])

const readLeases = async (endpoint: string) =>
  (await admin.query(`SELECT issuer FROM ${schema}.queue_leases WHERE endpoint_id = $1`, [endpoint])).rows

for (const name of ["the coordinator", "a worker"] as const) {
  describe(`over ${name}`, () => {
    const pool = () => (name === "a worker" ? nodePool(workers[0] ?? { host: "", port: 0 }) : admin)

    it("a write waits for the end of a move, and is made at the new place", async () => {
      const { onShard, shard } = await open(pool())
      const from = await place(shard.id)
      const to = workers.find(({ id }) => id !== from.node)
      const end = await beginChange(
        "SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := 'block_writes')",
        [shard.id, from.host, from.port, to?.host, to?.port],
      )
      const write = onShard.run(insert, [company, `moved by ${name}`])
      expect(await settlesWithin(write, 700)).toBe(false)
      await end()
      await write
      expect((await place(shard.id)).node).toBe(to?.id)
      expect(await readLeases(`moved by ${name}`)).toEqual([{ issuer: company }])
    })

    it("a write to a shard that is being split is refused, and not executed", async () => {
      const { onShard, map, shard, splits } = await open(pool())
      const { first, last, node } = await place(shard.id)
      const end = await beginChange(
        `SELECT citus_split_shard_by_split_points($1, ARRAY[$2], ARRAY[$3::integer, $3::integer], 'block_writes')`,
        [shard.id, String(Math.floor((first + last) / 2)), node],
      )
      const write = onShard.run(insert, [company, `split by ${name}`]).catch((error: unknown) => error)
      expect(await settlesWithin(write, 700)).toBe(false)
      await end()
      const failure = await write
      expect(failure).toBeInstanceOf(SqlFailure)
      expect(failure).toMatchObject({ kind: "undone", message: "the shard was split" })
      expect(splits()).toBe(1)
      expect(await readLeases(`split by ${name}`)).toEqual([])
      const now = await map.find(company)
      expect(now.id).not.toBe(shard.id)
      expect((await map.all()).map(({ id }) => id)).toContain(now.id)
      expect((await map.all()).map(({ id }) => id)).not.toContain(shard.id)
    })
  })
}

/** Executes a shard's first call, loses its answer, and runs `meanwhile` before the next call. */
const losingAnswer = (meanwhile: () => Promise<unknown> = async () => {}): Connection => {
  let isLost = false
  return {
    query: async (statement) => {
      const answer = await admin.query(statement)
      if (isLost || !statement.text.includes("on_shard")) return answer
      isLost = true
      await meanwhile()
      throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })
    },
  }
}

/** Returns a function that counts the confirmations of earlier commits in each worker's log. */
const watchConfirmations = async () => {
  const name = `log_of_${schema}`
  const logs = workers.map((node) => ({ node, pool: nodePool(node) }))
  for (const { pool } of logs) {
    await pool.query(`SET citus.enable_ddl_propagation = off; CREATE PUBLICATION ${name}`)
    await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [name])
  }
  onTestFinished(async () => {
    for (const { pool } of logs) {
      await pool.query("SELECT pg_drop_replication_slot($1)", [name])
      await pool.query(`SET citus.enable_ddl_propagation = off; DROP PUBLICATION ${name}`)
    }
  })
  return async () => {
    const counts = logs.map(async ({ node: { id }, pool }) => {
      const { rows } = await pool.query(
        `SELECT count(*)::integer AS count FROM pg_logical_slot_peek_binary_changes('${name}', NULL, NULL,
           'proto_version', '1', 'publication_names', '${name}', 'messages', 'true')
         WHERE get_byte(data, 0) = ascii('M') AND position('pixcharge'::bytea IN data) > 0`,
      )
      return [id, rows[0].count] as const
    })
    return new Map(await Promise.all(counts))
  }
}

const repeatableInsert = repeatable(`
INSERT INTO @.queue_leases (issuer, endpoint_id, token, lease_until) VALUES ($1, $2, gen_random_uuid(), now())
ON CONFLICT DO NOTHING RETURNING issuer`)

describe("a write whose answer is lost", () => {
  it("is confirmed only on its shard's node", async () => {
    const { onShard, shard } = await open(losingAnswer())
    const { node } = await place(shard.id)
    const counts = await watchConfirmations()
    const { rows, repeated } = await onShard.run(repeatableInsert, [company, "confirmed"])
    expect({ rows, repeated }).toEqual({ rows: [], repeated: true })
    expect(await readLeases("confirmed")).toEqual([{ issuer: company }])
    expect(await counts()).toEqual(new Map(workers.map(({ id }) => [id, id === node ? 1 : 0])))
  })

  it("fails as lost if its shard is split before the retry", async () => {
    let shardId = ""
    const split = async () => {
      const { first, last, node } = await place(shardId)
      const middle = String(Math.floor((first + last) / 2))
      await admin.query(
        `SELECT citus_split_shard_by_split_points($1, ARRAY[$2], ARRAY[$3::integer, $3::integer], 'block_writes')`,
        [shardId, middle, node],
      )
    }
    const { onShard, shard, splits } = await open(losingAnswer(split))
    shardId = shard.id
    await expect(onShard.run(repeatableInsert, [company, "lost and split"])).rejects.toMatchObject({ kind: "lost" })
    expect(splits()).toBe(1)
    expect(await readLeases("lost and split")).toEqual([{ issuer: company }])
  })
})

it("each shard has its own key, even a shard with a single company", async () => {
  await admin.query(
    `SELECT isolate_tenant_to_new_shard('${schema}.charges', '99888777000166', 'CASCADE', shard_transfer_mode := 'block_writes')`,
  )
  const { map } = await open()
  const alone = await map.find("99888777000166")
  expect(alone.key).toBe("99888777000166")
  const keys = (await map.all()).map(({ id, key }) => ({ id, key }))
  const { rows } = await admin.query(
    `SELECT id, key FROM json_to_recordset($1) AS k (id text, key text)
     WHERE get_shard_id_for_distribution_column('${schema}.charges', key)::text <> id`,
    [JSON.stringify(keys)],
  )
  expect(rows).toEqual([])
  expect(keys).toHaveLength((await findShards(admin, `${schema}.charges`)).length)
})

describe("a statement's values and rows", () => {
  it("arrive unchanged", async () => {
    const { onShard } = await open()
    const echo = repeatable(`
SELECT $1::text AS text, $2::float8 AS number, $3::boolean AS yes, $4::text AS none, $5::json ->> 'a' AS json,
  9007199254740991::bigint AS large, 0.1::float8 + 0.2::float8 AS exact, date_part('epoch', to_timestamp($6::float8)) AS at
FROM (SELECT 1) one`)
    const text = `{"a", \\"b\\", 'c', $1, NULL}\n€ \u0001 ${"x".repeat(70_000)}`
    const { rows } = await onShard.run(echo, [
      text,
      1.5e-7,
      true,
      null,
      JSON.stringify({ a: '\\"{}' }),
      1_700_000_000.123456,
    ])
    expect(rows).toEqual([
      {
        text,
        number: 1.5e-7,
        yes: true,
        none: null,
        json: '\\"{}',
        large: Number.MAX_SAFE_INTEGER,
        exact: 0.1 + 0.2,
        at: 1_700_000_000.123456,
      },
    ])
  })

  it("are refused as on a plain Postgres", async () => {
    const { onShard } = await open()
    const cast = repeatable("SELECT $1::integer AS number FROM (SELECT 1) one")
    await expect(onShard.run(cast, ["no number"])).rejects.toMatchObject({ kind: "badValue", sqlState: "22P02" })
    await expect(onShard.run(repeatable("SELECT nothing"), [])).rejects.toMatchObject({
      kind: "refused",
      sqlState: "42703",
    })
  })

  it("a statement without rows is executed, and returns an empty list", async () => {
    const { onShard } = await open()
    await onShard.run(insert, [company, "rowless"])
    const end = repeatable("DELETE FROM @.queue_leases WHERE issuer = $1 AND endpoint_id = $2")
    expect((await onShard.run(end, [company, "rowless"])).rows).toEqual([])
    expect(await readLeases("rowless")).toEqual([])
  })
})

it("a session that has lost its prepared statements prepares them again", async () => {
  const { shard } = await open()
  const { host, port } = await place(shard.id)
  // Makes one call after the other on the node itself: one session runs all calls.
  const pool = nodePool({ host, port })
  const { onShard } = await open(pool)
  const one = repeatable("SELECT 1 AS one")
  await onShard.run(one, [])
  await pool.query("DEALLOCATE ALL")
  expect((await onShard.run(one, [])).rows).toEqual([{ one: 1 }])
  await pool.query("DISCARD ALL")
  expect((await onShard.run(one, [])).rows).toEqual([{ one: 1 }])
})

describe("a role", () => {
  it("can't run functions that have their owner's rights without a right to them, on any node", async () => {
    const { hostname, port } = new URL(citusUrl)
    for (const node of [{ host: hostname, port: Number(port) }, ...workers]) {
      const { rows } = await nodePool(node).query(
        `SELECT p.proname FROM pg_proc p WHERE p.pronamespace = '${schema}'::regnamespace AND p.prosecdef
           AND (has_function_privilege('public', p.oid, 'EXECUTE') OR p.proconfig[1] IS DISTINCT FROM 'search_path=pg_catalog, pg_temp')`,
      )
      expect(rows).toEqual([])
    }
  })

  const role = `role_of_${schema}`

  it("can use the functions only for tables to which it has rights", async () => {
    await admin.query(`CREATE ROLE ${role} LOGIN`)
    try {
      await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${role}`)
      const { shard } = await open()
      const { host, port } = await place(shard.id)
      const pool = nodePool({ host, port }, { user: role })
      const onNode = async (statement: string) => {
        const { rows } = await pool.query("SELECT current_user AS name")
        expect(rows).toEqual([{ name: role }])
        return pool.query(
          `SELECT ${schema}.on_shard($1, $2, 'role_${crypto.randomUUID().replaceAll("-", "")}', $3, '{}')`,
          [shard.key, shard.id, statement],
        )
      }
      const read = `SELECT count(*) FROM ${schema}.charges_${shard.id}`
      await expect(onNode(read)).rejects.toMatchObject({ code: "42501" })
      await admin.query(`GRANT SELECT ON ${schema}.charges TO ${role}`)
      await expect(onNode(read)).rejects.toMatchObject({ code: "42501" })
      await admin.query(`GRANT EXECUTE ON FUNCTION ${schema}.hold_shard(bigint) TO ${role}`)
      await expect(onNode(read)).resolves.toMatchObject({ rowCount: 1 })
      const write = `DELETE FROM ${schema}.charges_${shard.id} RETURNING issuer`
      await expect(onNode(write)).rejects.toMatchObject({ code: "42501" })
      const other = (await findShards(admin, `${schema}.payments`))[0]
      await expect(pool.query(`SELECT ${schema}.hold_shard($1)`, [other?.id])).rejects.toMatchObject({ code: "PX001" })
    } finally {
      await admin.query(`DROP OWNED BY ${role}`)
      await admin.query(`DROP ROLE ${role}`)
    }
  })

  it("can use the store and the directory over any node, even after a shard was moved", async () => {
    const host = `host_of_${schema}`
    await admin.query(`CREATE ROLE ${host} LOGIN`)
    try {
      await admin.query(`GRANT USAGE ON SCHEMA ${schema} TO ${host}`)
      await admin.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${host}`)
      await admin.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${host}`)
      await admin.query(`GRANT EXECUTE ON FUNCTION ${schema}.hold_shard(bigint) TO ${host}`)
      const { shard } = await open()
      const from = await place(shard.id)
      const to = workers.find(({ id }) => id !== from.node)
      await admin.query(
        "SELECT citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := 'block_writes')",
        [shard.id, from.host, from.port, to?.host, to?.port],
      )
      const { hostname, port } = new URL(citusUrl)
      for (const node of [{ host: hostname, port: Number(port) }, ...workers]) {
        const store = citusStore({ db: nodePool(node, { user: host }), schema, migrations: "check" })
        const charge = aPendingCharge({ issuer: company as Cnpj })
        const audit = { kind: "chargeCancelled", chargeId: charge.id } as const
        const done = await Effect.runPromise(
          Effect.gen(function* () {
            const charges = yield* ChargeStore
            yield* charges.insert(charge)
            return yield* charges.commit(aChange(charge, { next: aCancelledCharge(charge), audit }))
          }).pipe(Effect.provideService(Actor, "ana"), Effect.provide(store)),
        )
        expect(done).toMatchObject({ moved: true })
        const directory = postgresDirectory({
          db: nodePool(node, { user: host }),
          schema,
          migrations: "check",
          pepper: [{ kid: "1", secret: "p".repeat(32) }],
        })
        const shop = { cnpj: company, name: "Loja", city: `${node.port}`, pixKey: "loja@example.com", graceDays: 5 }
        await Effect.runPromise(
          Effect.flatMap(DirectoryAdmin, ({ putCompany }) => putCompany(shop)).pipe(Effect.provide(directory)),
        )
      }
      const { rows } = await admin.query(
        `SELECT kind FROM ${schema}.audit_log WHERE kind LIKE 'company%' ORDER BY at, id`,
      )
      const changes = workers.map(() => ({ kind: "companyChanged" }))
      expect(rows).toEqual([{ kind: "companyRegistered" }, ...changes])
    } finally {
      await admin.query(`DROP OWNED BY ${host}`)
      await admin.query(`DROP ROLE ${host}`)
    }
  })
})
