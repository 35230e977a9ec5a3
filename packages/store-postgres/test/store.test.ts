import { PGlite } from "@electric-sql/pglite"
import { checkSchema, pgliteConnection, postgresStore, printMigrations } from "@pixcharge/store-postgres"
import { chargeModelSuite, storeSuite } from "@pixcharge/testkit/suites"
import { afterAll, expect, it } from "vitest"
import { realPostgres } from "./realPostgres.ts"
import { storeHooks } from "./storeHooks.ts"

const pglite = await PGlite.create()
afterAll(() => pglite.close())

const stores = [
  { name: "PGlite", db: pgliteConnection(pglite) },
  { name: "Postgres", db: await realPostgres() },
]

for (const { name, db } of stores) {
  const layer = postgresStore({ db })
  storeSuite(name, layer, storeHooks(db))
  // Few histories, for each is hundreds of statements; the memory store tries many.
  chargeModelSuite(name, layer, { ...storeHooks(db), histories: 8 })
}

it("printed migrations run on PGlite too", async () => {
  await pglite.exec(printMigrations({ schema: "printed" }))
  await expect(checkSchema(pgliteConnection(pglite), { schema: "printed" })).resolves.toBeUndefined()
})
