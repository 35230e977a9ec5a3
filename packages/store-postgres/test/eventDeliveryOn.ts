import { callbackFetch } from "@pixcharge/callback-fetch"
import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { type DeliverySurroundings, eventDeliverySuite, type TestedPorts } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"

const delivery = ({ ca }: DeliverySurroundings) =>
  callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any", ca })

/** The suite of events that arrive, on a store in this schema; the connection is one that sees all leases of it. */
export const eventDeliveryAt = (
  name: string,
  store: Layer.Layer<TestedPorts, unknown>,
  db: Connection,
  schema: string,
): void => {
  const text = `UPDATE ${schema}.queue_leases SET lease_until = now() - interval '1 s'`
  const endLeases = Effect.promise(() => db.query({ text, values: [] }))
  eventDeliverySuite(name, { store, delivery, endLeases })
}

/** The same on one database, in a schema of its own. */
export const eventDeliveryOn = (name: string, db: Connection): void => {
  const schema = "event_delivery"
  eventDeliveryAt(name, postgresStore({ db, schema }), db, schema)
}
