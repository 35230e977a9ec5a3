import settings from "../drizzle.config.ts"
import { openShop } from "../src/openShop.ts"
import { orders } from "../src/orders.ts"
import { eq, sql } from "drizzle-orm"
import { expect, inject, it } from "vitest"

it("keeps the shop's Drizzle tables and pixcharge's tables on one pool, also after a second start", async () => {
  const shop = await openShop(`${inject("postgresUrl")}/postgres`)
  const { id, chargeId, brCode } = await shop.order("café", 1_990)
  expect(brCode).toMatch(/^000201/)
  await shop.close()

  const again = await openShop(`${inject("postgresUrl")}/postgres`)
  const find = async () => (await again.db.select().from(orders).where(eq(orders.id, id)))[0]
  expect(await find()).toMatchObject({ product: "café", amountCents: 1_990, paidAt: null })
  const paid = await again.pay(chargeId)
  expect(paid._tag).toBe("Paid")
  await expect.poll(async () => (await find())?.paidAt).toBeInstanceOf(Date)

  const { rows } = await again.db.execute<{ schema: string; tables: number }>(
    sql`SELECT table_schema AS schema, count(*)::int AS tables FROM information_schema.tables
        WHERE table_schema IN ('public', 'drizzle', 'pixcharge') GROUP BY 1 ORDER BY 1`,
  )
  expect(rows.filter(({ schema }) => schema !== "pixcharge")).toEqual([
    { schema: "drizzle", tables: 1 },
    { schema: "public", tables: 1 },
  ])
  expect(rows.find(({ schema }) => schema === "pixcharge")?.tables).toBeGreaterThan(5)
  await again.close()
})

// The long runs test `push` with both release lines of drizzle-kit.
it("lets drizzle-kit compare only the shop's own schema", () => {
  expect(settings.schemaFilter).toEqual(["public"])
})
