import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const shop = "12345678000195"
const other = "11222333000181"

const company = (cnpj: string) => ({
  cnpj,
  name: "Loja",
  city: "Recife",
  pixKey: cnpj,
  integratorKey: "chave da loja",
  graceDays: 5,
})

const callback = {
  url: "https://loja.example.com/pix",
  secrets: ["whsec_c2VncmVkbyBkYSBsb2phIGRhIGVzcXVpbmE="],
}

const started = () =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [{ ...company(shop), callback }, company(other)] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

type Pix = Awaited<ReturnType<typeof started>>

const payer = { name: "Maria das Dores", taxId: "52998224725" }

/** Pays a charge twice; returns the endToEndId of the second payment. */
const furtherPayment = async (pix: Pix): Promise<string> => {
  const id = randomUUID()
  await pix.issue(shop, { id, amountCents: 1_990, payer })
  await pix.simulatePayment(shop, id)
  const { txid } = await pix.find(shop, id)
  const endToEndId = `E00000000202611221200${randomUUID().replaceAll("-", "").slice(0, 11)}`
  await pix.confirmPayment({ issuer: shop, endToEndId, txid, amountCents: 1_990, paidAt: Date.now() })
  return endToEndId
}

const changes = async (pix: Pix, cnpj = shop) =>
  (await pix.audit.list(cnpj)).items.map(({ by, change }) => [by, change])

describe("the audit log of a host", () => {
  it("lists each actor's changes, and changes without an actor", async () => {
    await using pix = await started()
    const { directory, events } = pix.by("ana")
    await directory.setWallet("12.345.678/0001-95", false)
    await events.pause(shop, `callback-${shop}`)
    await pix.by("rui").directory.rotateKey(shop)
    await pix.directory.setWallet(shop, true)
    expect(await changes(pix)).toEqual([
      [undefined, { kind: "walletActivated", of: "company" }],
      ["rui", { kind: "keyReplaced" }],
      ["ana", { kind: "endpointPaused", endpointId: `callback-${shop}` }],
      ["ana", { kind: "walletDeactivated", of: "company" }],
    ])
    expect(await changes(pix, other)).toEqual([])
  })

  it("lists who decided on an exception, once, and only whether there was a note", async () => {
    await using pix = await started()
    const [kept, returned, settled] = [await furtherPayment(pix), await furtherPayment(pix), await furtherPayment(pix)]
    const note = `pedido de ${payer.name}`
    await pix.by("ana").exceptions.resolve(shop, kept, note)
    await pix.by("rui").exceptions.resolve(shop, kept, "outra vez")
    await pix.by("rui").exceptions.refund(shop, returned)
    await pix.exceptions.resolve(shop, settled, "")
    expect(await changes(pix)).toEqual([
      [undefined, { kind: "exceptionResolved", endToEndId: settled, hasNote: false }],
      ["rui", { kind: "exceptionRefundRequested", endToEndId: returned }],
      ["ana", { kind: "exceptionResolved", endToEndId: kept, hasNote: true }],
    ])
  })

  it("contains no payer data, and an erasure doesn't change it", async () => {
    await using pix = await started()
    const kept = await furtherPayment(pix)
    await pix.by("ana").exceptions.resolve(shop, kept, `pedido de ${payer.name}, ${payer.taxId}`)
    const before = await pix.audit.list(shop)
    for (const word of Object.values(payer)) expect(JSON.stringify(before)).not.toContain(word)
    expect(await pix.payers.erase(shop, payer.taxId)).toBe(1)
    const after = await pix.audit.list(shop)
    expect(after.items.slice(1)).toEqual(before.items)
    expect(after.items[0]?.change).toEqual({
      kind: "payerErased",
      charges: 1,
      oldestChargeId: expect.any(String),
    })
    for (const word of Object.values(payer)) expect(JSON.stringify(after)).not.toContain(word)
  })

  it("lists who refunded and cancelled charges if the call had an actor, also for one charge", async () => {
    await using pix = await started()
    const issued = async () => (await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })).id
    const paid = async () => {
      const id = await issued()
      await pix.simulatePayment(shop, id)
      return id
    }
    const [refunded, silent, cancelled] = [await paid(), await paid(), await issued()]
    expect((await pix.by("ana").refund(shop, refunded)).status).toBe("refunded")
    expect((await pix.by("rui").refund(shop, refunded)).status).toBe("refunded")
    await pix.by("ana").cancel(shop, cancelled)
    await pix.by("rui").cancel(shop, cancelled)
    await pix.refund(shop, silent)
    await pix.cancel(shop, await issued())
    expect(await changes(pix)).toEqual([
      ["ana", { kind: "chargeCancelled", chargeId: cancelled }],
      ["ana", { kind: "refundRequested", chargeId: refunded }],
    ])
    const { items } = await pix.audit.list(shop, { chargeId: refunded })
    expect(items.map(({ change }) => change)).toEqual([{ kind: "refundRequested", chargeId: refunded }])
  })

  it("lists who requested a charge if the call had an actor, even if issuing then failed", async () => {
    await using pix = started()
    const id = randomUUID()
    const order = { id, amountCents: 1_990 }
    expect((await pix.by("ana").issue(shop, order)).id).toBe(id)
    await pix
      .by("rui")
      .issue(shop, { ...order, amountCents: 5 })
      .catch(() => undefined)
    await expect(pix.by("rui").issue(shop, { ...order, amountCents: 0 })).rejects.toMatchObject({
      _tag: "InvalidChargeRequest",
    })
    await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
    const { items } = await pix.audit.list(shop, { kind: "issueRequested" })
    expect(items.map(({ by, change }) => [by, change]).toSorted()).toEqual([
      ["ana", { kind: "issueRequested", chargeId: id }],
      ["rui", { kind: "issueRequested", chargeId: id }],
    ])
  })

  it("lists who saw, exported or erased a payer, and who reconciled a period", async () => {
    await using pix = await started()
    const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990, payer })
    const bare = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
    const ana = pix.by("ana")
    expect(await ana.payers.show(shop, id)).toEqual(payer)
    expect(await ana.payers.show(shop, bare.id)).toBeUndefined()
    expect((await ana.payers.export(shop, payer.taxId)).charges).toHaveLength(1)
    await ana.reconcile(shop, { from: 1, until: 2 })
    expect(await ana.payers.erase(shop, payer.taxId)).toBe(1)
    expect(await ana.payers.show(shop, id)).toBeUndefined()
    expect(await pix.payers.show(shop, id)).toBeUndefined()
    await expect(ana.payers.show(shop, randomUUID())).rejects.toMatchObject({ _tag: "ChargeNotFound" })
    await expect(ana.reconcile(shop, { from: 1 } as never)).rejects.toMatchObject({ _tag: "InvalidFilter" })
    expect(await changes(pix)).toEqual([
      ["ana", { kind: "payerErased", charges: 1, oldestChargeId: id }],
      ["ana", { kind: "reconcileRequested", from: 1, until: 2 }],
      ["ana", { kind: "payerExported", charges: 1 }],
      ["ana", { kind: "payerShown", chargeId: id }],
    ])
    const records = JSON.stringify(await pix.audit.list(shop))
    for (const word of Object.values(payer)) expect(records).not.toContain(word)
  })

  it("lists who sent a test event, once for a repeated key", async () => {
    await using pix = await started()
    const endpointId = `callback-${shop}`
    const key = randomUUID()
    const event = await pix.by("ana").events.ping(shop, endpointId, key)
    expect((await pix.by("rui").events.ping(shop, endpointId, key)).id).toBe(event.id)
    await pix.events.ping(shop, endpointId)
    expect(await changes(pix)).toEqual([["ana", { kind: "testEventSent", endpointId, eventId: event.id }]])
    const sent = (await pix.events.list(shop)).items.map((delivery) => delivery.event.id)
    expect(sent).toHaveLength(2)
    expect(sent).toContain(event.id)
    for (const odd of ["", "a.b", "x".repeat(65), "á", 5, null]) {
      await expect(pix.events.ping(shop, endpointId, odd as never)).rejects.toMatchObject({ _tag: "InvalidOption" })
    }
  })

  it("is read page by page, and filtered by kind and actor", async () => {
    await using pix = await started()
    for (const active of [false, true, false]) await pix.by("ana").directory.setWallet(shop, active)
    const first = await pix.audit.list(shop, { kind: "walletDeactivated" }, { limit: 1 })
    const second = await pix.audit.list(shop, { kind: "walletDeactivated" }, { limit: 1, cursor: first.cursor ?? "" })
    expect([first.items.length, second.items.length, second.cursor]).toEqual([1, 1, undefined])
    expect(first.items[0]?.id).not.toBe(second.items[0]?.id)
    expect((await pix.audit.list(shop, { by: "rui" })).items).toEqual([])
    await expect(pix.audit.list("123")).rejects.toMatchObject({ _tag: "InvalidTaxId" })
  })

  it.each([
    ["by", { by: "\0" }, {}],
    ["by", { by: 5 as never }, {}],
    ["period", { period: { from: 0 } as never }, {}],
    ["chargeId", { chargeId: 5 as never }, {}],
    ["endToEndId", { endToEndId: "\ud800" }, {}],
    ["cursor", {}, { cursor: "\0" }],
  ])("refuses an invalid %s: %j, %j", async (field, filter, page) => {
    await using pix = await started()
    await expect(pix.audit.list(shop, filter, page)).rejects.toMatchObject({ _tag: "InvalidFilter", field })
  })
})
