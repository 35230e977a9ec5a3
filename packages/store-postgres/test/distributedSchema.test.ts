import { type Connection, maintenance, postgresStore } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"

const postgres = await realPostgres()

/** A connection that answers the queries about Citus. A plain Postgres answers all other queries. */
const onCitus = (isDistributed: boolean): Connection => ({
  query: async (statement) => {
    if (statement.text.includes("AS has_citus")) return { rows: [{ has_citus: true }] }
    if (statement.text.includes("AS is_distributed")) {
      expect(statement.text).toContain(`'"pixcharge".charges'`)
      return { rows: [{ is_distributed: isDistributed }] }
    }
    return postgres.query(statement)
  },
})

const message = 'Schema "pixcharge" is distributed by Citus: use @pixcharge/store-citus.'
const settledBefore = Date.UTC(2026, 0, 1)
const open = (db: Connection, migrations: "run" | "check" = "run") =>
  Effect.runPromise(Effect.result(Effect.scoped(Layer.build(postgresStore({ db, migrations })))))

it("the store and the maintenance refuse a distributed schema", async () => {
  for (const migrations of ["run", "check"] as const) {
    expect(await open(onCitus(true), migrations)).toMatchObject({
      failure: { message: `The database can't be used: ${message}`, cause: { _tag: "SchemaDistributed" } },
    })
  }
  expect((await postgres.query("SELECT FROM pg_namespace WHERE nspname = 'pixcharge'")).rows).toEqual([])
  expect(await open(onCitus(false))).toMatchObject({ _tag: "Success" })
  await expect(maintenance(onCitus(true), { settledBefore })).rejects.toMatchObject({
    _tag: "SchemaDistributed",
    message,
  })
})

it("the store uses a plain schema, with or without Citus in the database", async () => {
  for (const db of [postgres, onCitus(false)]) {
    expect(await open(db)).toMatchObject({ _tag: "Success" })
    expect(await maintenance(db, { settledBefore })).toEqual({ purgedDeliveries: 0 })
  }
})
