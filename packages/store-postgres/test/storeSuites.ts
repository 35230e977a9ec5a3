import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { chargeModelSuite, storeSuite } from "@pixcharge/testkit/suites"
import { storeHooks } from "./storeHooks.ts"

/** The suites of a store and the model, on one database. */
export const storeSuites = (name: string, db: Connection): void => {
  const layer = postgresStore({ db })
  storeSuite(name, layer, storeHooks(db))
  // Few histories, for each is hundreds of statements; the memory store tries many.
  chargeModelSuite(name, layer, { ...storeHooks(db), histories: 8 })
}
