import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { afterEach, expect, it, vi } from "vitest"
import { createPix, type PlainEvent, type PlainPayment, type SandboxOptions } from "../src/index.ts"

const shop = "12345678000195"

const start = (overrides?: Partial<SandboxOptions>) =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [
        {
          cnpj: shop,
          name: "Loja",
          city: "Recife",
          pixKey: "loja@example.com",
          integratorKey: "chave da loja",
          graceDays: 5,
        },
      ],
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    ...overrides,
  })

const noon = Date.parse("2026-11-22T12:00:00Z")

afterEach(() => {
  vi.useRealTimers()
})

it("gives a charge a status that follows the instance's moved clock", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: noon })
  await using pix = start()
  const { id, status } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
  expect([status, pix.clock.now()]).toEqual(["pending", noon])
  // The charge is payable for ten minutes, including the last millisecond.
  await pix.clock.advance("10 minutes")
  expect((await pix.find(shop, id)).status).toBe("pending")
  await pix.clock.advance(1)
  expect((await pix.find(shop, id)).status).toBe("expired")
  expect(pix.clock.now()).toBe(noon + 600_001)
})

it("gives the host's events their time also in ISO 8601", async () => {
  const events: Array<PlainEvent> = []
  await using pix = start({ background: false, onEvent: (event) => void events.push(event) })
  const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1 })
  await pix.simulatePayment(shop, id)
  await pix.tick({ deadlineMs: 5_000 })
  expect(events.map(({ occurredAtIso }) => occurredAtIso)).toEqual(
    events.map(({ occurredAt }) => new Date(occurredAt).toISOString()),
  )
  expect(events).toHaveLength(1)
})

it("has a status for each state of a charge", async () => {
  await using pix = start()
  const issue = () => pix.issue(shop, { id: randomUUID(), amountCents: 1 })
  const [paid, cancelled] = [await issue(), await issue()]
  expect((await pix.simulatePayment(shop, paid.id)).status).toBe("paid")
  expect((await pix.find(shop, paid.id)).status).toBe("paid")
  expect(["refunding", "refunded"]).toContain((await pix.refund(shop, paid.id)).status)
  expect((await pix.find(shop, paid.id)).status).toBe("refunded")
  expect((await pix.cancel(shop, cancelled.id)).status).toBe("cancelled")
  const { issuer, txid } = await issue()
  const notice = { issuer, txid, endToEndId: "E1".padEnd(32, "0"), amountCents: 1, paidAt: Date.now() }
  expect((await pix.confirmPayment(notice)).status).toBe("paid")
})

it("gives every instant of a charge or payment in ISO 8601 beside its epoch milliseconds", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: noon })
  await using pix = start()
  const payer = { name: "Maria da Silva", taxId: "12345678909" }
  const { id, ...issued } = await pix.issue(shop, { id: randomUUID(), amountCents: 593, payer })
  expect(issued).toMatchObject({
    createdAt: noon,
    createdAtIso: "2026-11-22T12:00:00.000Z",
    payableUntil: noon + 600_000,
    payableUntilIso: "2026-11-22T12:10:00.000Z",
    watchUntilIso: "2026-11-23T12:10:00.000Z",
  })
  await pix.simulatePayment(shop, id)
  const paid = { paidAt: noon, paidAtIso: "2026-11-22T12:00:00.000Z", recordedAtIso: "2026-11-22T12:00:00.000Z" }
  expect(await pix.find(shop, id)).toMatchObject({ payment: paid })
  expect((await pix.payers.export(shop, payer.taxId)).charges).toEqual([await pix.find(shop, id)])
  const payments: Array<PlainPayment> = []
  for await (const payment of pix.payments(shop, { from: noon, until: noon + 1 })) payments.push(payment)
  expect(payments).toMatchObject([paid, paid])
  for await (const { payment } of pix.exceptions.list(shop)) {
    const returned = await pix.exceptions.refund(shop, payment.endToEndId)
    expect(returned).toMatchObject({ payment: paid, state: { refundedAtIso: paid.paidAtIso } })
    expect(returned.returns).toMatchObject([{ returnedAt: noon, returnedAtIso: paid.paidAtIso }])
  }
  const refunded = await pix.refund(shop, id)
  if (refunded._tag === "Refunded") expect(refunded.refundedAtIso).toBe(paid.paidAtIso)
  expect(refunded).toMatchObject({ status: "refunded" })
})
