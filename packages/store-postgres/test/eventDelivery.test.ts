import { PGlite } from "@electric-sql/pglite"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { type Connection, pgliteConnection, postgresStore } from "@pixcharge/store-postgres"
import { type DeliverySurroundings, eventDeliverySuite } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { afterAll, describe } from "vitest"
import { realPostgres } from "./realPostgres.ts"

const delivery = ({ ca }: DeliverySurroundings) =>
  callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any", ca })

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
eventDeliverySuite("PGlite", { store: postgresStore({ db }), delivery, endLeases: endLeases(db) })

const pool = await realPostgres()
describe("the long runs", { tags: ["long"] }, () => {
  eventDeliverySuite("Postgres", { store: postgresStore({ db: pool }), delivery, endLeases: endLeases(pool) })
})
