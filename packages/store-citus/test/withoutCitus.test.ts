import { citusStore, distribute } from "@pixcharge/store-citus"
import { migrate, StoreNotReady } from "@pixcharge/store-postgres"
import { realPostgres } from "@pixcharge/verify/postgres"
import { runCommand } from "../src/runCommand.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"

const db = await realPostgres()
const refusal = "The database has no Citus: run CREATE EXTENSION citus on every node."

it("distribute refuses a plain Postgres, and changes nothing", async () => {
  await expect(distribute(db)).rejects.toMatchObject({ _tag: "CitusUnusable", message: refusal })
  const { rows } = await db.query("SELECT FROM pg_namespace WHERE nspname = 'pixcharge'")
  expect(rows).toEqual([])
})

it("the command refuses a plain Postgres in one sentence", async () => {
  const { connectionString } = db.options as { connectionString: string }
  await expect(runCommand(["distribute", "--url", connectionString])).rejects.toThrow(refusal)
})

it("a store refuses a plain Postgres at the start and in its diagnosis", async () => {
  const store = citusStore({ db })
  const failure = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(store))))
  expect(failure).toBeInstanceOf(StoreNotReady)
  expect(failure.message).toBe(`The database can't be used: ${refusal}`)
  expect(await store.diagnose?.({})).toContainEqual({ check: "citus", status: "failed", message: refusal.slice(0, -1) })
})

const untried = [
  { what: "Citus", extension: "14.1-1", found: "Citus 14.1" },
  { what: "PostgreSQL", extension: "13.2-1", found: "Citus 13.2" },
]

for (const { what, extension, found } of untried) {
  it(`distribute, a store's start and its diagnosis refuse an untested version of ${what}`, async () => {
    const database = await realPostgres()
    // A row of the catalogue is enough to declare a version of Citus.
    await database.query(
      `INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       VALUES (4000000, 'citus', 10, 'pg_catalog'::regnamespace, false, $1)`,
      [extension],
    )
    const { rows } = await database.query("SELECT split_part(current_setting('server_version'), '.', 1) AS major")
    const message = `The database has ${found} on PostgreSQL ${rows[0].major}, but this release was tested only with Citus 13.2 on PostgreSQL 15.`
    await expect(distribute(database)).rejects.toMatchObject({ _tag: "CitusUnusable", message })
    const store = citusStore({ db: database })
    const failure = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(store))))
    expect(failure.message).toBe(`The database can't be used: ${message}`)
    expect((await database.query("SELECT FROM pg_namespace WHERE nspname = 'pixcharge'")).rows).toEqual([])
    await migrate(database)
    const finding = { check: "citus", status: "failed", message: message.slice(0, -1) }
    expect(await store.diagnose?.({})).toContainEqual(finding)
  })
}
