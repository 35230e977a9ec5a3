import { PGlite } from "@electric-sql/pglite"
import { type Connection, pgliteConnection, postgresStore } from "@pixcharge/store-postgres"
import { eventDeliverySuite } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"
import { afterAll, describe } from "vitest"
import { realPostgres } from "./realPostgres.ts"

const endLeases = (db: Connection) =>
  Effect.promise(() =>
    db.query({
      text: "UPDATE pixcharge.queue_leases SET lease_until = now() - interval '1 s'",
      values: [],
    }),
  )

const pglite = await PGlite.create()
afterAll(() => pglite.close())
const db = pgliteConnection(pglite)
eventDeliverySuite("PGlite", postgresStore({ db }), { endLeases: endLeases(db) })

const pool = await realPostgres()
describe("the long runs", { tags: ["long"] }, () => {
  eventDeliverySuite("Postgres", postgresStore({ db: pool }), { endLeases: endLeases(pool) })
})
