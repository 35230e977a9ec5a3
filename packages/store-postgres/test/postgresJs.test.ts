import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { storedValuesSuite } from "@pixcharge/testkit/suites"
import postgres from "postgres"
import { afterAll, describe } from "vitest"
import { directorySuites } from "./directorySuites.ts"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"
import { realPostgres } from "./realPostgres.ts"
import { storeHooks } from "./storeHooks.ts"
import { storeSuites } from "./storeSuites.ts"

const { options } = await realPostgres()
const sql = postgres(String(options.connectionString), { onnotice: () => {} })
afterAll(() => sql.end())

/** As docs/scaling.md has it. */
const db: Connection = {
  query: async ({ text, values }) => ({ rows: await sql.unsafe(text, values as Array<never>) }),
}

// The gate runs what a driver can fail that encodes values by the types of parameters; the statements pass all suites on `pg`.
storedValuesSuite("postgres.js", postgresStore({ db }), storeHooks(db))
describe("every suite", { tags: ["long"] }, () => {
  storeSuites("postgres.js", db)
  eventDeliveryOn("postgres.js", db)
  directorySuites("postgres.js", db)
})
