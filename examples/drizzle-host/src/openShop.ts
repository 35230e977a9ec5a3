import { createPix } from "@pixcharge/embed"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { postgresStore } from "@pixcharge/store-postgres"
import { eq } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { migrate } from "drizzle-orm/node-postgres/migrator"
import { randomUUID } from "node:crypto"
import pg from "pg"
import { orders } from "./orders.ts"

const cnpj = "12345678000195"

/** A shop on one pool. Drizzle keeps its orders in the schema `public`; pixcharge's tables are in the schema `pixcharge`. */
export const openShop = async (connectionString: string) => {
  const pool = new pg.Pool({ connectionString, max: 10 })
  const db = drizzle(pool)
  // Drizzle runs the migrations of this folder. pixcharge runs its own when it starts.
  await migrate(db, { migrationsFolder: `${import.meta.dirname}/../migrations` })

  const pix = createPix({
    environment: "sandbox",
    store: postgresStore({ db: pool }),
    companies: [{ cnpj, name: "Minha Loja", city: "Recife", pixKey: "loja@example.com" }],
    processor: sandboxProcessor(),
    // An event can come twice. It is sent again if this handler fails.
    onEvent: async (event) => {
      if (event.kind !== "paid") return
      const paidAt = new Date(event.occurredAt)
      await db.update(orders).set({ paidAt }).where(eq(orders.chargeId, event.payment.chargeId))
    },
  })
  await pix.ready()

  return {
    db,
    pix,
    /** The order and its charge need no shared transaction: see `chargeId`. */
    order: async (product: string, amountCents: number) => {
      const order = { id: randomUUID(), product, amountCents, chargeId: randomUUID() }
      await db.insert(orders).values(order)
      const { brCode } = await pix.issue(cnpj, { id: order.chargeId, amountCents })
      return { ...order, brCode }
    },
    pay: (chargeId: string) => pix.simulatePayment(cnpj, chargeId),
    close: async () => {
      await pix.dispose()
      await pool.end()
    },
  }
}
