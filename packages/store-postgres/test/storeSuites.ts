import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { chargeModelSuite, storeSuite } from "@pixcharge/adapter-tests/suites"
import { storeHooks } from "@pixcharge/verify/postgres"

/** Runs few histories, because each history needs hundreds of statements. The owner's connection empties the database. */
export const storeSuites = (name: string, db: Connection, owner = db): void => {
  const layer = postgresStore({ db })
  storeSuite(name, layer, storeHooks(owner))
  chargeModelSuite(name, layer, { ...storeHooks(owner), histories: 8 })
}
