import type { Connection } from "@pixcharge/store-postgres"
import { aPendingCharge, fixtureNow } from "@pixcharge/testkit/fixtures"
import postgres from "postgres"
import { afterAll, describe, expect, it } from "vitest"
import { directorySuites } from "./directorySuites.ts"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"
import { openStore, run } from "./openStore.ts"
import { realPostgres } from "./realPostgres.ts"
import { storeSuites } from "./storeSuites.ts"

const { options } = await realPostgres()
const sql = postgres(String(options.connectionString), { onnotice: () => {} })
afterAll(() => sql.end())

/** As docs/scaling.md has it. */
const db: Connection = {
  query: async ({ text, values }) => ({ rows: await sql.unsafe(text, values as Array<never>) }),
}

it("postgres.js, which encodes values by the types of parameters, stores a charge as it is", async () => {
  const { store } = await openStore({ db })
  const charge = aPendingCharge({ dueDate: "2026-07-01" as never, checkAt: fixtureNow })
  expect(await run(store.insert(charge))).toEqual({ _tag: "Inserted" })
  expect(await run(store.find(charge.issuer, charge.id))).toEqual(charge)
})

describe("every suite", { tags: ["long"] }, () => {
  storeSuites("postgres.js", db)
  eventDeliveryOn("postgres.js", db)
  directorySuites("postgres.js", db)
})
