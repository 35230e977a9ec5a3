import { integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core"

export const orders = pgTable("orders", {
  id: uuid().primaryKey(),
  product: text().notNull(),
  amountCents: integer("amount_cents").notNull(),
  /** Stored with the order before the charge is issued, so that a failed call can be repeated with the same id. */
  chargeId: uuid("charge_id").notNull().unique(),
  paidAt: timestamp("paid_at", { withTimezone: true }),
})
