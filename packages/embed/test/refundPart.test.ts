import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPix, type PixEvent } from "../src/index.ts"

const shop = {
  cnpj: "12345678000195",
  name: "Loja",
  city: "Recife",
  pixKey: "12345678000195",
  integratorKey: "chave da loja",
  graceDays: 5,
}

const opened = (events: Array<PixEvent> = []) =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [shop] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    onEvent: (event) => void events.push(event),
  })

const paid = async (pix: ReturnType<typeof opened>, amountCents = 1_990): Promise<string> => {
  const id = randomUUID()
  await pix.issue(shop.cnpj, { id, amountCents })
  await pix.simulatePayment(shop.cnpj, id)
  return id
}

describe("pix.refundPart", () => {
  it("returns the partial refund and its charge with the refundable rest", async () => {
    await using pix = opened()
    const id = await paid(pix)
    expect(await pix.find(shop.cnpj, id)).toMatchObject({ status: "paid", refundableCents: 1_990 })
    const { charge, partialRefund } = await pix.refundPart(shop.cnpj, id, { key: "a", amountCents: 500 })
    expect(partialRefund).toMatchObject({
      key: "a",
      amountCents: 500,
      status: "returned",
      requestedAtIso: expect.stringMatching(/Z$/),
      refund: { attempt: 1, requestedAtIso: expect.stringMatching(/Z$/) },
    })
    expect(charge).toMatchObject({ status: "paid", refundableCents: 1_490, partialRefunds: [partialRefund] })
    expect(await pix.find(shop.cnpj, id)).toEqual(charge)
    expect(await pix.refundPart(shop.cnpj, id, { key: "a", amountCents: 500 })).toEqual({ charge, partialRefund })
  })

  it("makes the charge refunded with one event once its whole payment is returned", async () => {
    const events: Array<PixEvent> = []
    await using pix = opened(events)
    const id = await paid(pix)
    await pix.refundPart(shop.cnpj, id, { key: "a", amountCents: 500 })
    const { charge } = await pix.refundPart(shop.cnpj, id, { key: "b", amountCents: 1_490 })
    expect(charge).toMatchObject({ status: "refunded", refundableCents: 0 })
    while ((await pix.tick({ deadlineMs: 5_000 })).more);
    await expect.poll(() => events.filter(({ kind }) => kind === "refunded").length).toBe(1)
  })

  it("is recorded in the audit log once, under its actor", async () => {
    await using pix = opened()
    const id = await paid(pix)
    await pix.by("ana").refundPart(shop.cnpj, id, { key: "a", amountCents: 500 })
    await pix.by("rui").refundPart(shop.cnpj, id, { key: "a", amountCents: 500 })
    const { items } = await pix.audit.list(shop.cnpj, { kind: "partialRefundRequested" })
    expect(items.map(({ by, change }) => [by, change])).toEqual([
      ["ana", { kind: "partialRefundRequested", chargeId: id, key: "a", amountCents: 500 }],
    ])
  })

  it("rejects with an error that names the flaw", async () => {
    await using pix = opened()
    const id = await paid(pix)
    const part = (key: unknown, amountCents: unknown) =>
      pix.refundPart(shop.cnpj, id, { key: key as string, amountCents: amountCents as number })
    await expect(part("two words", 1)).rejects.toMatchObject({ _tag: "InvalidPartialRefund", field: "key" })
    await expect(part("a", "1")).rejects.toMatchObject({ _tag: "InvalidPartialRefund", field: "amountCents" })
    await expect(pix.refundPart(shop.cnpj, id, undefined as never)).rejects.toMatchObject({ field: "key" })
    await expect(part("a", 1_991)).rejects.toMatchObject({ _tag: "RefundExceedsRest", leftCents: 1_990 })
    await part("a", 500)
    await expect(part("a", 501)).rejects.toMatchObject({ _tag: "PartialRefundConflict", key: "a" })
    await expect(pix.refund(shop.cnpj, id)).rejects.toMatchObject({ _tag: "ChargePartlyReturned", returnedCents: 500 })
    const unpaid = randomUUID()
    await pix.issue(shop.cnpj, { id: unpaid, amountCents: 1_990 })
    await expect(pix.refundPart(shop.cnpj, unpaid, { key: "a", amountCents: 1 })).rejects.toMatchObject({
      _tag: "ChargeNotPaid",
    })
    expect((await pix.find(shop.cnpj, unpaid)).refundableCents).toBe(0)
  })
})
