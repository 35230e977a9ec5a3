import { randomUUID } from "node:crypto"
import type { Query } from "./database.ts"

export interface Product {
  readonly id: string
  readonly name: string
  readonly priceCents: number
  readonly available: number
}

export interface Order {
  readonly id: string
  readonly product: string
  readonly amountCents: number
  /** The id of its charge, which is issued later. */
  readonly chargeId: string
  /** When its charge expired or was cancelled. */
  readonly closedAt: Date | null
  readonly paidAt: Date | null
  readonly refundedAt: Date | null
}

/** True while the order can be paid, as far as the shop knows. */
export const isWaiting = ({ closedAt, paidAt, refundedAt }: Order): boolean =>
  closedAt === null && paidAt === null && refundedAt === null

/** True if the order's charge ended without a payment. */
export const isClosed = ({ closedAt, refundedAt }: Order): boolean => closedAt !== null && refundedAt === null

export const listProducts = (query: Query): Promise<ReadonlyArray<Product>> =>
  query('SELECT id, name, price_cents AS "priceCents", available FROM shop.products ORDER BY name')

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
        closed_at AS "closedAt", paid_at AS "paidAt", refunded_at AS "refundedAt"
      FROM shop.orders JOIN shop.products ON products.id = product_id WHERE orders.id = $1`,
    [id],
  )
  return order
}

interface OfProduct {
  readonly productId: string
}

/** Gives the order one of the product's items, unless it holds one already. False if no item is left. */
const takeItem = async (query: Query, chargeId: string): Promise<boolean> => {
  const [taking] = await query<OfProduct>(
    `UPDATE shop.orders SET holds_item = true WHERE charge_id = $1 AND NOT holds_item RETURNING product_id AS "productId"`,
    [chargeId],
  )
  if (taking === undefined) return true
  const left = await query(
    "UPDATE shop.products SET available = available - 1 WHERE id = $1 AND available > 0 RETURNING id",
    [taking.productId],
  )
  if (left.length === 0) await query("UPDATE shop.orders SET holds_item = false WHERE charge_id = $1", [chargeId])
  return left.length > 0
}

const releaseItem = async (query: Query, chargeId: string): Promise<void> => {
  const [released] = await query<OfProduct>(
    `UPDATE shop.orders SET holds_item = false WHERE charge_id = $1 AND holds_item RETURNING product_id AS "productId"`,
    [chargeId],
  )
  if (released) await query("UPDATE shop.products SET available = available + 1 WHERE id = $1", [released.productId])
}

/** Reserves an item for an order whose charge was issued. False if no item is left, or if the charge has ended meanwhile. */
export const reserveItem = async (query: Query, chargeId: string): Promise<boolean> => {
  const open = await query(
    "SELECT FROM shop.orders WHERE charge_id = $1 AND closed_at IS NULL AND refunded_at IS NULL FOR UPDATE",
    [chargeId],
  )
  return open.length > 0 && takeItem(query, chargeId)
}

/** Closes an order whose charge expired or was cancelled, and releases its item. A paid order stays as it is. */
export const closeOrder = async (query: Query, chargeId: string, at: string): Promise<void> => {
  const closed = await query(
    "UPDATE shop.orders SET closed_at = $2 WHERE charge_id = $1 AND paid_at IS NULL AND closed_at IS NULL RETURNING id",
    [chargeId, at],
  )
  if (closed.length > 0) await releaseItem(query, chargeId)
}

/**
 * Marks an order as paid once, unless it was refunded. A late payment takes an item again. False if no item is left: the money must
 * be returned.
 */
export const markPaid = async (query: Query, chargeId: string, at: string): Promise<boolean> => {
  const [unpaid] = await query<OfProduct>(
    `SELECT product_id AS "productId" FROM shop.orders
      WHERE charge_id = $1 AND paid_at IS NULL AND refunded_at IS NULL FOR UPDATE`,
    [chargeId],
  )
  if (unpaid === undefined) return true
  if (!(await takeItem(query, chargeId))) return false
  await query("UPDATE shop.orders SET paid_at = $2, closed_at = NULL WHERE charge_id = $1", [chargeId, at])
  await query("UPDATE shop.products SET sold = sold + 1 WHERE id = $1", [unpaid.productId])
  return true
}

/** Marks an order as refunded, and releases its item. */
export const markRefunded = async (query: Query, chargeId: string, at: string): Promise<void> => {
  const [refunded] = await query<OfProduct & { wasSold: boolean }>(
    `UPDATE shop.orders SET refunded_at = $2 WHERE charge_id = $1 AND refunded_at IS NULL
      RETURNING product_id AS "productId", paid_at IS NOT NULL AS "wasSold"`,
    [chargeId, at],
  )
  if (refunded?.wasSold) await query("UPDATE shop.products SET sold = sold - 1 WHERE id = $1", [refunded.productId])
  await releaseItem(query, chargeId)
}
