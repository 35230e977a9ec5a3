import { PGlite } from "@electric-sql/pglite"
import { checkSchema, pgliteConnection, postgresStore, printMigrations } from "@pixcharge/store-postgres"
import { chargeStoreSuite } from "@pixcharge/testkit/suites"
import { afterAll, describe, expect, it } from "vitest"
import { directorySuites } from "./directorySuites.ts"
import { eventDeliveryOn } from "./eventDeliveryOn.ts"
import { exceptionCases } from "./exceptionCases.ts"
import { storeHooks } from "./storeHooks.ts"
import { storeSuites } from "./storeSuites.ts"

// All of PGlite in one file: to make one takes seconds.
const pglite = await PGlite.create()
afterAll(() => pglite.close())
const db = pgliteConnection(pglite)

// The statements are those of Postgres, which runs all suites; here the gate looks for what PGlite itself does otherwise.
chargeStoreSuite("PGlite", postgresStore({ db }), storeHooks(db))
directorySuites("PGlite", db)
describe("every suite", { tags: ["long"] }, () => {
  storeSuites("PGlite", db)
  eventDeliveryOn("PGlite", db)
})
describe("payment exceptions on PGlite", () => exceptionCases(db))

it("printed migrations run on PGlite too", async () => {
  await pglite.exec(printMigrations({ schema: "printed" }))
  await expect(checkSchema(db, { schema: "printed" })).resolves.toBeUndefined()
})
