import type { Database } from "./database.ts"

/** Makes the shop's tables. pixcharge makes its tables by itself, in another schema. */
const statements = [
  "CREATE SCHEMA IF NOT EXISTS shop",
  `CREATE TABLE IF NOT EXISTS shop.products (
    id text PRIMARY KEY,
    name text NOT NULL,
    price_cents integer NOT NULL,
    available integer NOT NULL CHECK (available >= 0),
    sold integer NOT NULL DEFAULT 0
  )`,
  `INSERT INTO shop.products (id, name, price_cents, available)
    VALUES ('cafe', 'Café, 500 g', 3990, 40), ('caneca', 'Caneca', 5900, 25) ON CONFLICT DO NOTHING`,
  // charge_id is stored before the charge is issued, so that a failed call can be repeated with the same id.
  `CREATE TABLE IF NOT EXISTS shop.orders (
    id uuid PRIMARY KEY,
    product_id text NOT NULL REFERENCES shop.products,
    amount_cents integer NOT NULL,
    charge_id uuid NOT NULL UNIQUE,
    holds_item boolean NOT NULL DEFAULT false,
    closed_at timestamptz,
    paid_at timestamptz,
    refunded_at timestamptz
  )`,
  "CREATE SCHEMA IF NOT EXISTS warehouse",
  "CREATE TABLE IF NOT EXISTS warehouse.seen_events (id text PRIMARY KEY)",
  `CREATE TABLE IF NOT EXISTS warehouse.parcels (
    charge_id uuid PRIMARY KEY,
    state text NOT NULL CHECK (state IN ('pack', 'keep'))
  )`,
]

/** Makes missing tables. A growing shop has migrations instead. */
export const createTables = ({ transaction }: Database): Promise<void> =>
  transaction(async (query) => {
    // If several processes start together, one of them makes the tables.
    await query("SELECT pg_advisory_xact_lock(hashtext('shop'))")
    for (const statement of statements) await query(statement)
  })
