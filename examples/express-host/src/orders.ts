import type { PlainEvent } from "@pixcharge/embed"
import { randomUUID } from "node:crypto"
import type { Database, Query } from "./database.ts"

export interface Product {
  readonly id: string
  readonly name: string
  readonly priceCents: number
}

export interface Order {
  readonly id: string
  readonly product: string
  readonly amountCents: number
  /** The id of its charge, which is issued later. */
  readonly chargeId: string
  readonly paidAt: Date | null
  readonly refundedAt: Date | null
}

/** True while the shop knows of no payment and no refund. */
export const isWaiting = ({ paidAt, refundedAt }: Order): boolean => paidAt === null && refundedAt === null

export const listProducts = (query: Query): Promise<ReadonlyArray<Product>> =>
  query('SELECT id, name, price_cents AS "priceCents" FROM shop.products ORDER BY name')

/** Stores an order at today's price. Returns its id, or undefined for an unknown product. */
export const placeOrder = async (query: Query, productId: string): Promise<string | undefined> => {
  const [order] = await query<{ id: string }>(
    `INSERT INTO shop.orders (id, product_id, amount_cents, charge_id)
      SELECT $2, id, price_cents, $3 FROM shop.products WHERE id = $1 RETURNING id`,
    [productId, randomUUID(), randomUUID()],
  )
  return order?.id
}

export const findOrder = async (query: Query, id: string): Promise<Order | undefined> => {
  const [order] = await query<Order>(
    `SELECT orders.id, name AS product, amount_cents AS "amountCents", charge_id AS "chargeId",
        paid_at AS "paidAt", refunded_at AS "refundedAt"
      FROM shop.orders JOIN shop.products ON products.id = product_id WHERE orders.id = $1`,
    [id],
  )
  return order
}

/** Marks an order as paid once, unless it was refunded, and counts its product as sold. */
const markPaid = async (query: Query, chargeId: string, at: string): Promise<void> => {
  const [sold] = await query<{ productId: string }>(
    `UPDATE shop.orders SET paid_at = $2 WHERE charge_id = $1 AND paid_at IS NULL AND refunded_at IS NULL
      RETURNING product_id AS "productId"`,
    [chargeId, at],
  )
  if (sold) await query("UPDATE shop.products SET sold = sold + 1 WHERE id = $1", [sold.productId])
}

const markRefunded = async (query: Query, chargeId: string, at: string): Promise<void> => {
  const [refunded] = await query<{ productId: string; wasSold: boolean }>(
    `UPDATE shop.orders SET refunded_at = $2 WHERE charge_id = $1 AND refunded_at IS NULL
      RETURNING product_id AS "productId", paid_at IS NOT NULL AS "wasSold"`,
    [chargeId, at],
  )
  if (refunded?.wasSold) await query("UPDATE shop.products SET sold = sold - 1 WHERE id = $1", [refunded.productId])
}

/**
 * Records an event of pixcharge in the shop's books, in one transaction. The order's state decides: a repeated event changes
 * nothing, and neither does an older event that comes late.
 *
 * Don't call pixcharge within the transaction: on the embedded database, the call would wait for the transaction, which waits
 * for the call.
 */
export const takeEvent = async ({ transaction }: Database, event: PlainEvent): Promise<void> => {
  if (event.kind !== "paid" && event.kind !== "refunded") return
  const { kind, payment, occurredAtIso } = event
  const mark = kind === "paid" ? markPaid : markRefunded
  await transaction((query) => mark(query, payment.chargeId, occurredAtIso))
}
