import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { chargeModelSuite, storeSuite } from "@pixcharge/adapter-tests/suites"
import { storeHooks } from "@pixcharge/verify/postgres"

/** The suites of a store and the model, on one database: few histories, for each is hundreds of statements. Its owner empties it. */
export const storeSuites = (name: string, db: Connection, owner = db): void => {
  const layer = postgresStore({ db })
  storeSuite(name, layer, storeHooks(owner))
  chargeModelSuite(name, layer, { ...storeHooks(owner), histories: 8 })
}
