import { chargeTxid } from "@pixcharge/core/plain"
import { aPaidEvent, aRefundedEvent } from "@pixcharge/testing"
import pg from "pg"
import { Webhook } from "standardwebhooks"
import { describe, expect, it, onTestFinished } from "vitest"
import { takeEvent } from "../src/takeEvent.ts"
import { openTestShop } from "./openTestShop.ts"

describe("a buyer", () => {
  it("chooses, orders, pays on the payer's page, and sees the payment", async () => {
    await using shop = await openTestShop()
    expect(await shop.show("/")).toContain("Café, 500 g, R$\u00a039,90")
    const { path, link, chargeId } = await shop.order()
    expect(await shop.show(path)).toContain("Aguardando o pagamento")
    expect(await (await fetch(link)).text()).toContain("000201")

    await shop.pix.pay(chargeId)
    expect(await shop.show(path)).toContain("Pago")
    expect(await shop.readOrder(chargeId)).toEqual({ paid: true, refunded: false, sold: 1, parcel: "pack" })
    const { location } = await shop.post(`${path}/checkout`)
    // A charge's open pages share one look-up a second, so the receipt can appear a moment later.
    await expect.poll(async () => (await fetch(`${location}/comprovante`)).text()).toContain("39,90")
  })

  it("gets one charge at the order's price for repeated requests", async () => {
    await using shop = await openTestShop()
    const { path, link, chargeId } = await shop.order()
    await shop.database.query("UPDATE shop.products SET price_cents = 1")
    expect((await shop.post(`${path}/checkout`)).location).toBe(link)
    expect(await shop.pix.find(shop.cnpj, chargeId)).toMatchObject({ amountCents: 3_990 })
  })

  it("sees a product's name as text, not as HTML", async () => {
    await using shop = await openTestShop()
    await shop.database.query("INSERT INTO shop.products VALUES ('a\"b', '<i>&', 100, 1)")
    const page = await shop.show("/")
    expect(page).toContain("&lt;i&gt;&amp;")
    expect(page).toContain('value="a&quot;b"')
  })

  it("learns that an order can no longer be paid", async () => {
    await using shop = await openTestShop()
    const { path, chargeId } = await shop.order()
    await shop.pix.expire(chargeId)
    const late = await shop.post(`${path}/checkout`)
    expect(late.status).toBe(410)
    expect(late.body).toContain("Prazo encerrado")
  })
})

describe("an order's books", () => {
  it("ignore a repeated event", async () => {
    await using shop = await openTestShop()
    const { chargeId } = await shop.order()
    await shop.pix.pay(chargeId)
    const before = await shop.readOrder(chargeId)
    await shop.pix.events.replay(shop.cnpj, { chargeId })
    await shop.pix.runDueWork()
    expect(shop.pix.delivered).toHaveLength(2)
    expect(await shop.readOrder(chargeId)).toEqual(before)
  })

  it("count an event once even if three processes take it at the same time", async () => {
    await using shop = await openTestShop()
    const { chargeId } = await shop.order()
    const event = aPaidEvent({ id: chargeId })
    await Promise.all([1, 2, 3].map(() => takeEvent(shop.database, shop.pix, event)))
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, sold: 1 })
  })

  it("count an event once even if a process dies before it answers", async () => {
    const deaths = [new Error("died")]
    await using shop = await openTestShop({
      onEvent: async (...taken) => {
        await takeEvent(...taken)
        const death = deaths.pop()
        if (death) throw death
      },
    })
    const { chargeId } = await shop.order()
    await expect(shop.pix.pay(chargeId)).rejects.toThrow("died")
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, sold: 1 })
    await shop.pix.clock.advance("1 hour")
    expect(shop.pix.delivered).toHaveLength(1)
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, sold: 1 })
  })

  it("record nothing of an event if the connection breaks halfway, and all of it at the next attempt", async () => {
    await using shop = await openTestShop()
    const { chargeId } = await shop.order()
    const other = new pg.Client({ connectionString: shop.settings.databaseUrl })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query("BEGIN")
    await other.query("SELECT FROM shop.products FOR UPDATE")

    // The event marks the order, then waits for the locked product.
    const paying = shop.pix.pay(chargeId).catch((error: unknown) => error)
    const endWaiting = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE shop.products%'`
    await expect.poll(async () => (await shop.database.query(endWaiting)).length).toBe(1)
    expect(String(await paying)).toContain("terminat")
    await other.query("COMMIT")
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: false, sold: 0 })

    await shop.pix.clock.advance("1 hour")
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, sold: 1 })
  })

  it("survive a connection that breaks between two statements", async () => {
    await using shop = await openTestShop()
    const { query, transaction } = shop.database
    const broken = transaction(async (queryWithin) => {
      await queryWithin("UPDATE shop.products SET sold = 7")
      const [own] = await queryWithin<{ pid: number }>("SELECT pg_backend_pid() AS pid")
      await query("SELECT pg_terminate_backend($1, 10000)", [own?.pid])
      await queryWithin("SELECT 1")
    })
    await expect(broken).rejects.toThrow(/connection/i)
    expect(await query("SELECT FROM shop.products WHERE sold = 7")).toEqual([])
  })

  it("end as refunded with nothing sold, in any order of the events", async () => {
    await using shop = await openTestShop()
    for (const makers of [
      [aPaidEvent, aRefundedEvent],
      [aRefundedEvent, aPaidEvent],
    ]) {
      const { path, chargeId } = await shop.order()
      for (const make of makers) await takeEvent(shop.database, shop.pix, make({ id: chargeId }))
      expect(await shop.readOrder(chargeId)).toMatchObject({ refunded: true, sold: 0 })
      expect(await shop.show(path)).toContain("Devolvido")
    }
  })
})

describe("an item", () => {
  /** Leaves one coffee. */
  const openShopWithOne = async () => {
    const shop = await openTestShop()
    await shop.database.query("UPDATE shop.products SET available = 1 WHERE id = 'cafe'")
    return shop
  }

  it("is reserved until its charge expires, is cancelled or is refunded", async () => {
    await using shop = await openShopWithOne()
    const expiring = await shop.order()
    expect(await shop.readStock()).toBe(0)
    await shop.post(`${expiring.path}/checkout`)
    expect(await shop.readStock()).toBe(0)
    await shop.pix.clock.advance("15 minutes")
    expect(await shop.readStock()).toBe(1)
    expect(await shop.show(expiring.path)).toContain("Encerrado sem pagamento")

    const { chargeId } = await shop.order()
    expect(await shop.readStock()).toBe(0)
    await shop.pix.cancel(shop.cnpj, chargeId)
    await shop.pix.runDueWork()
    expect(await shop.readStock()).toBe(1)

    const paid = await shop.order()
    await shop.pix.pay(paid.chargeId)
    expect(await shop.readStock()).toBe(0)
    await shop.pix.refund(shop.cnpj, paid.chargeId)
    await shop.pix.runDueWork()
    expect(await shop.readStock()).toBe(1)
  })

  it("is refused to a second buyer, whose charge can't be paid", async () => {
    await using shop = await openShopWithOne()
    const { path } = await shop.order()
    const { location } = await shop.post("/orders", { product: "cafe" })
    const late = await shop.post(`${location}/checkout`)
    expect([late.status, late.body]).toEqual([409, expect.stringContaining("Esgotado")])
    await shop.pix.runDueWork()
    expect((await shop.post(`${location}/checkout`)).status).toBe(410)
    expect(await shop.readStock()).toBe(0)
    expect((await shop.post(`${path}/checkout`)).status).toBe(303)
    expect(await shop.show("/")).toContain("Esgotado")
  })

  it("is sold by the sandbox's button without a visit to the payer's page", async () => {
    await using shop = await openShopWithOne()
    const { location: path } = await shop.post("/orders", { product: "cafe" })
    for (const _ of [1, 2]) await shop.post(`${path}/pay`)
    await shop.pix.runDueWork()
    expect(await shop.show(path)).toContain("Pago")
    expect(await shop.readStock()).toBe(0)
    const { location: cancelled } = await shop.post("/orders", { product: "caneca" })
    await shop.post(`${cancelled}/checkout`)
    await shop.operate(`${cancelled}/cancel`)
    await shop.pix.runDueWork()
    expect((await shop.post(`${cancelled}/pay`)).status).toBe(303)
    expect(await shop.show(cancelled)).toContain("Encerrado sem pagamento")
  })

  it("is released and taken again by the buttons of the sandbox", async () => {
    await using shop = await openShopWithOne()
    const { path, chargeId } = await shop.order()
    await shop.post(`${path}/wait`)
    await shop.pix.runDueWork()
    expect(await shop.readStock()).toBe(1)
    await shop.post(`${path}/pay`)
    await shop.pix.runDueWork()
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, sold: 1 })
    expect(await shop.readStock()).toBe(0)
  })

  it("is taken again by a late payment", async () => {
    await using shop = await openShopWithOne()
    const { path, chargeId } = await shop.order()
    await shop.pix.clock.advance("15 minutes")
    await shop.pix.payLate(chargeId, { days: 1 })
    expect(await shop.readOrder(chargeId)).toEqual({ paid: true, refunded: false, sold: 1, parcel: "pack" })
    expect(await shop.readStock()).toBe(0)
    expect(await shop.show(path)).toContain("Pago")
    await shop.pix.events.replay(shop.cnpj, { chargeId })
    await shop.pix.runDueWork()
    expect(await shop.readStock()).toBe(0)
  })

  it("that is gone sends a late payment back", async () => {
    await using shop = await openShopWithOne()
    const { path, chargeId } = await shop.order()
    await shop.pix.clock.advance("15 minutes")
    const second = await shop.order()
    await shop.pix.pay(second.chargeId)
    await shop.pix.payLate(chargeId, { days: 1 })
    await shop.pix.runDueWork()
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: false, refunded: true })
    expect(await shop.show(path)).toContain("Devolvido")
    expect(await shop.readOrder(second.chargeId)).toMatchObject({ paid: true, sold: 1 })
  })
})

it("keeps a second payment that a person has decided to keep", async () => {
  await using shop = await openTestShop({ onEvent: () => Promise.resolve() })
  const { chargeId } = await shop.order()
  await shop.pix.payTwice(chargeId)
  const event = shop.pix.delivered.find(({ kind }) => kind === "exception")
  if (event?.kind !== "exception") throw new Error("expected an exception")
  const { endToEndId } = event.exception
  await shop.pix.exceptions.resolve(shop.cnpj, endToEndId, "a gift")
  await takeEvent(shop.database, shop.pix, event)
  expect(await shop.pix.exceptions.find(shop.cnpj, endToEndId)).toMatchObject({ status: "resolved" })
})

it("returns a buyer's second payment", async () => {
  await using shop = await openTestShop()
  const { chargeId } = await shop.order()
  await shop.pix.payTwice(chargeId)
  await shop.pix.runDueWork()
  const { items } = await shop.pix.exceptions.search(shop.cnpj, { from: 0, until: shop.pix.clock.now() + 1 })
  expect(items).toMatchObject([{ reason: "furtherPayment", status: "returned" }])
  expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, refunded: false, sold: 1 })
})

describe("the warehouse", () => {
  /** Sends an event that reports the charge as paid, signed with the secret. */
  const signedEvent = (shop: Awaited<ReturnType<typeof openTestShop>>, chargeId: string, secret: string) => {
    const id = `evt_${shop.cnpj}_${chargeId.replaceAll("-", "")}_paid`
    const pagamento = { idFaturaPag: chargeId, txid: chargeTxid(shop.cnpj, chargeId), endToEndId: "E1", valor: 39.9 }
    const empresa = { cnpj: shop.cnpj, nome: "Minha Loja" }
    const at = new Date()
    const body = { id, tipo: "pix.pago", timestamp: at.toISOString(), dados: { empresa, pagamento } }
    const signature = new Webhook(secret).sign(id, at, JSON.stringify(body))
    const seconds = String(Math.floor(at.getTime() / 1_000))
    return shop.post("/warehouse/events", body, {
      "webhook-id": id,
      "webhook-timestamp": seconds,
      "webhook-signature": signature,
    })
  }

  it("packs no order for a sender without the secret, and no unpaid order", async () => {
    await using shop = await openTestShop()
    const { chargeId } = await shop.order()
    const stranger = `whsec_${Buffer.from("a secret that a stranger made up").toString("base64")}`
    expect((await shop.post("/warehouse/events", {})).status).toBe(401)
    expect((await signedEvent(shop, chargeId, stranger)).status).toBe(401)
    expect((await signedEvent(shop, chargeId, shop.settings.callbackSecret)).status).toBe(409)
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: false, parcel: null })

    await shop.pix.pay(chargeId)
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, parcel: "pack" })
    // Handled events aren't handled again.
    await shop.database.query("DELETE FROM warehouse.parcels")
    expect((await signedEvent(shop, chargeId, shop.settings.callbackSecret)).status).toBe(200)
    expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, parcel: null })
  })
})
