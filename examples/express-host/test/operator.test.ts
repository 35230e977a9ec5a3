import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { openTestShop } from "./openTestShop.ts"

type Shop = Awaited<ReturnType<typeof openTestShop>>

const headersOf = ({ settings }: Shop) => ({ authorization: `Bearer ${settings.operatorKey}` })

const look = async (shop: Shop, path: string) => {
  const response = await fetch(`${shop.settings.url}/operator${path}`, { headers: headersOf(shop) })
  return { status: response.status, body: (await response.json()) as object }
}

const endToEndIdOf = async (shop: Shop, chargeId: string) => {
  const charge = await shop.pix.find(shop.cnpj, chargeId)
  return "payment" in charge ? charge.payment.endToEndId : ""
}

it("cancels an order's charge, whose event releases the item", async () => {
  await using shop = await openTestShop()
  const { path } = await shop.order()
  const before = (await shop.readStock()) ?? 0
  expect(await shop.operate(`${path}/cancel`)).toEqual({ status: 200, body: { status: "cancelled" } })
  await shop.pix.runDueWork()
  expect(await shop.readStock()).toBe(before + 1)
  expect(await shop.show(path)).toContain("Encerrado sem pagamento")
})

it("finds a buyer's order by the ID of their receipt", async () => {
  await using shop = await openTestShop()
  const { path, chargeId } = await shop.order()
  await shop.pix.pay(chargeId)
  const receiptId = await endToEndIdOf(shop, chargeId)
  expect(await look(shop, `/payments/${receiptId.toLowerCase()}`)).toMatchObject({
    status: 200,
    body: { reference: path.slice("/orders/".length), status: "paid", amountCents: 3_990 },
  })
  expect(await look(shop, "/payments/E1803623620261130120012345678901")).toMatchObject({ status: 404 })
  expect(await look(shop, "/payments/x")).toMatchObject({ status: 409, body: { error: "PIX_INVALID_FILTER" } })
})

it("decides about a payment that settled no charge", async () => {
  await using shop = await openTestShop({ onEvent: () => Promise.resolve() })
  const { chargeId } = await shop.order()
  await shop.pix.payTwice(chargeId)
  const { body } = await look(shop, "/exceptions")
  expect(body).toMatchObject([{ reason: "furtherPayment", amountCents: 3_990, chargeId }])
  const [{ endToEndId = "" } = {}] = body as ReadonlyArray<{ endToEndId?: string }>
  expect(await look(shop, `/payments/${endToEndId}`)).toMatchObject({ body: { status: "furtherPayment" } })
  expect(await shop.operate(`/exceptions/${endToEndId}/refund`)).toEqual({ status: 200, body: { status: "returned" } })
  expect(await look(shop, "/exceptions")).toEqual({ status: 200, body: [] })
})

it("issues a month's invoices with terms of their own, and answers for each as it comes", async () => {
  await using shop = await openTestShop()
  const address = { street: "Rua A, 1", city: "Recife", state: "PE", postalCode: "50010-000" }
  const customer = { name: "Café da Esquina", taxId: "11.222.333/0001-81", email: "esquina@example.com", address }
  const dueDate = new Date(shop.pix.clock.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const issue = async (invoices: ReadonlyArray<object>) => {
    const { status, body } = await shop.post("/operator/invoices", invoices, headersOf(shop))
    const lines = body.trim().split("\n")
    return [status, lines.map((line) => JSON.parse(line) as { id: string; link?: string; refused?: string })] as const
  }
  const invoice = { id: randomUUID(), number: "7", amountCents: 90_000, dueDate, customer }
  const wrong = { ...invoice, id: randomUUID(), number: "8", dueDate: "2027-02-31" }
  const [status, results] = await issue([invoice, wrong])
  expect(status).toBe(200)
  expect(results).toHaveLength(2)
  expect(results.find(({ id }) => id === wrong.id)?.refused).toContain("dueDate")
  const link = results.find(({ id }) => id === invoice.id)?.link ?? ""
  expect(await (await fetch(link)).text()).toContain("000201")
  expect(await shop.pix.find(shop.cnpj, invoice.id)).toMatchObject({
    reference: "fatura-7",
    requested: { graceDays: 30, fees: { fine: { basisPoints: 200 } } },
    payer: { email: "esquina@example.com" },
  })
  // The same invoices again are the same charges.
  expect((await issue([invoice]))[1]).toMatchObject([{ id: invoice.id, link }])

  await shop.pix.pay(invoice.id)
  expect((await shop.pix.find(shop.cnpj, invoice.id)).status).toBe("paid")
  expect(await shop.database.query("SELECT FROM warehouse.parcels")).toEqual([])
})

it("refunds an order, and its parcel stays in the warehouse", async () => {
  await using shop = await openTestShop()
  const { path, chargeId } = await shop.order()
  await shop.pix.pay(chargeId)
  expect(await shop.operate(`${path}/refund`)).toEqual({ status: 200, body: { status: "refunded" } })
  await shop.pix.runDueWork()
  expect(await shop.readOrder(chargeId)).toEqual({ paid: true, refunded: true, sold: 0, parcel: "keep" })
  expect((await shop.post(`${path}/checkout`)).status).toBe(303)
  const { items } = await shop.pix.audit.list(shop.cnpj, { by: "operator" })
  expect(items).toHaveLength(1)
})

it("refunds one part for each key, and never more than the rest", async () => {
  await using shop = await openTestShop()
  const { path, chargeId } = await shop.order()
  await shop.pix.pay(chargeId)
  const part = { key: randomUUID(), amountCents: 990 }
  const once = { status: 200, body: { status: "returned", refundableCents: 3_000 } }
  expect(await shop.operate(`${path}/refunds`, part)).toEqual(once)
  expect(await shop.operate(`${path}/refunds`, part)).toEqual(once)
  expect(await shop.operate(`${path}/refunds`, { key: randomUUID(), amountCents: 3_001 })).toMatchObject({
    status: 409,
    body: { error: "PIX_REFUND_EXCEEDS_REST" },
  })
  expect(await shop.readOrder(chargeId)).toMatchObject({ paid: true, refunded: false, sold: 1 })
  await shop.operate(`${path}/refunds`, { key: randomUUID(), amountCents: 3_000 })
  await shop.pix.runDueWork()
  expect(await shop.readOrder(chargeId)).toMatchObject({ refunded: true, sold: 0, parcel: "keep" })
})

it("learns why an unpaid order isn't refunded", async () => {
  await using shop = await openTestShop()
  const { path } = await shop.order()
  expect(await shop.operate(`${path}/refund`)).toMatchObject({ status: 409, body: { error: "PIX_CHARGE_NOT_PAID" } })
})

it("is refused without the operator's key", async () => {
  await using shop = await openTestShop()
  const { path, chargeId } = await shop.order()
  await shop.pix.pay(chargeId)
  for (const authorization of ["", "Bearer ", `Bearer ${shop.settings.integratorKey}`]) {
    const { status } = await shop.post(`/operator${path}/refund`, undefined, { authorization })
    expect(status, authorization).toBe(401)
  }
  expect(await shop.pix.find(shop.cnpj, chargeId)).toMatchObject({ status: "paid" })
})
