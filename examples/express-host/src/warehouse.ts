import { pixReceiver } from "@pixcharge/callback-fetch/receiver"
import type { RequestHandler } from "express"
import type { Database, Query } from "./database.ts"
import { invoiceMetadata } from "./invoices.ts"

export interface WarehouseOptions {
  /** pixcharge's address, and the key for the queries that confirm events. */
  readonly pixUrl: string
  readonly integratorKey: string
  /** The secret that signs the events, as registered for this address. */
  readonly callbackSecret: string
}

/**
 * Another app of the company, which packs paid orders. It gets signed events over HTTP, and could run anywhere. It handles each
 * event once, because the event's id and the work are stored in one transaction.
 */
export const warehouse = ({ transaction }: Database, options: WarehouseOptions): RequestHandler =>
  pixReceiver<Query>({
    secrets: [options.callbackSecret],
    confirm: { baseUrl: options.pixUrl, key: options.integratorKey },
    seen: {
      once: (eventId, work) =>
        transaction(async (query) => {
          const marks = await query(
            "INSERT INTO warehouse.seen_events VALUES ($1) ON CONFLICT DO NOTHING RETURNING id",
            [eventId],
          )
          if (marks.length === 0) return false
          await work(query)
          return true
        }),
    },
    onEvent: async (event, query) => {
      if (event.kind !== "paid" && event.kind !== "refunded") return
      // Its goods were already delivered.
      if (event.payment.metadata?.["kind"] === invoiceMetadata.kind) return
      await query(
        `INSERT INTO warehouse.parcels VALUES ($1, $2)
          ON CONFLICT (charge_id) DO UPDATE SET state = excluded.state WHERE excluded.state = 'keep'`,
        [event.payment.chargeId, event.kind === "paid" ? "pack" : "keep"],
      )
    },
  }).express
