import { integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core"

export const orders = pgTable("orders", {
  id: uuid().primaryKey(),
  product: text().notNull(),
  amountCents: integer("amount_cents").notNull(),
  /** Written with the order, before its charge is asked for: so the charge may be asked for as often as it takes. */
  chargeId: uuid("charge_id").notNull().unique(),
  paidAt: timestamp("paid_at", { withTimezone: true }),
})
