import { type Connection, migrate, postgresStore } from "@pixcharge/store-postgres"
import { aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import postgres from "postgres"
import { afterAll, describe, expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { directorySuites } from "./directorySuites.ts"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"
import { openStore, run } from "./openStore.ts"
import { storeSuites } from "./storeSuites.ts"

const { options } = await realPostgres()
const connect = (given: postgres.Options<{}> = {}) => {
  const sql = postgres(String(options.connectionString), { onnotice: () => {}, ...given })
  afterAll(() => sql.end())
  return sql
}
const sql = connect()
const camel = connect({ transform: postgres.camel })

/** The connection that docs/scaling.md shows. */
const db: Connection = {
  query: async ({ text, values }) => ({ rows: await sql.unsafe(text, values as Array<never>) }),
}

it("postgres.js, which encodes values by parameter types, stores a charge unchanged", async () => {
  const { store } = await openStore({ db })
  const charge = aPendingCharge({ dueDate: "2026-07-01" as never, checkAt: fixtureNow })
  expect(await run(store.insert(charge))).toEqual({ _tag: "Inserted" })
  expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
})

it.each<[string, Connection["query"], string]>([
  [
    "renames columns",
    async ({ text, values }) => ({ rows: await camel.unsafe(text, values as Array<never>) }),
    "serverVersion, serverEncoding, major",
  ],
  [
    "returns rows as arrays",
    async ({ text, values }) => ({ rows: await sql.unsafe(text, values as Array<never>).values() }),
    "0, 1, 2",
  ],
])("the start, a migration and the doctor refuse a connection that %s", async (_, query, keys) => {
  const store = postgresStore({ db: { query } })
  const message = expect.stringContaining(
    `has the keys ${keys}: give a connection that leaves column names as they are`,
  )
  const refused = { _tag: "InvalidOption", message }
  const start = Effect.runPromise(Effect.scoped(Layer.build(store)))
  await expect(start).rejects.toMatchObject({ _tag: "StoreNotReady", message, cause: refused })
  await expect(migrate({ query })).rejects.toMatchObject(refused)
  expect(await store.diagnose?.({})).toEqual([{ check: "database", status: "failed", message }])
})

describe("postgres.js in every suite", { tags: ["long"] }, () => {
  storeSuites("postgres.js", db)
  eventDeliveryOn("postgres.js", db)
  directorySuites("postgres.js", db)
})
