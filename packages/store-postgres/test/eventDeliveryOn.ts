import { callbackFetch } from "@pixcharge/callback-fetch"
import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import { type DeliverySurroundings, eventDeliverySuite } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"

const delivery = ({ ca }: DeliverySurroundings) =>
  callbackFetch({ allowHttp: true, allowPrivateNetworks: true, ports: "any", ca })

export const eventDeliveryOn = (name: string, db: Connection): void => {
  const schema = "event_delivery"
  const text = `UPDATE ${schema}.queue_leases SET lease_until = now() - interval '1 s'`
  const endLeases = Effect.promise(() => db.query({ text, values: [] }))
  eventDeliverySuite(name, { store: postgresStore({ db, schema }), delivery, endLeases })
}
