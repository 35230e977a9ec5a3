import { citusStore, CitusUnusable, distribute } from "@pixcharge/store-postgres/citus"
import { runCommand } from "../../src/bin/runCommand.ts"
import { StoreNotReady } from "@pixcharge/store-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { realPostgres } from "../realPostgres.ts"

const db = await realPostgres()
const refusal = "The database has no Citus: run CREATE EXTENSION citus on every node."

it("distribute refuses a plain Postgres, and leaves it as it was", async () => {
  await expect(distribute(db)).rejects.toEqual(new CitusUnusable({ message: refusal }))
  const { rows } = await db.query("SELECT FROM pg_namespace WHERE nspname = 'pixcharge'")
  expect(rows).toEqual([])
})

it("the command says so in one sentence", async () => {
  const { connectionString } = db.options as { connectionString: string }
  await expect(runCommand(["distribute", "--url", connectionString])).rejects.toThrow(refusal)
})

it("a store is not built on one, and says why before it is", async () => {
  const store = citusStore({ db })
  const failure = await Effect.runPromise(Effect.flip(Effect.scoped(Layer.build(store))))
  expect(failure).toBeInstanceOf(StoreNotReady)
  expect(failure.message).toBe(`The database can't be used: ${refusal}`)
  expect(await store.diagnose?.({})).toContainEqual({ check: "citus", status: "failed", message: refusal.slice(0, -1) })
})
