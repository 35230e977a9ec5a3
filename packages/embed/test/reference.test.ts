import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { createPix, type PlainEvent } from "../src/index.ts"

const shop = "12345678000195"
const neighbour = "11222333000181"
const integratorKey = "chave da loja"

const opened = (onEvent: (event: PlainEvent) => void = () => {}) =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [shop, neighbour].map((cnpj) => ({ cnpj, name: "Loja", city: "Recife", pixKey: cnpj, integratorKey })),
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
    background: false,
    onEvent,
  })

type Pix = ReturnType<typeof opened>

const whole = { from: 0, until: 4e12 }
const payer = { name: "Joana Dias", taxId: "52998224725" }
const texts = { reference: "Pedido 1042 de Joana", metadata: { aluna: "Joana", turma: "5B", deliveryAt: "manhã" } }

const issue = (pix: Pix, more: object = texts) => pix.issue(shop, { id: randomUUID(), amountCents: 1_990, ...more })

const paid = async (pix: Pix, more?: object) => {
  const { id } = await issue(pix, more)
  await pix.simulatePayment(shop, id, {})
  const charge = await pix.find(shop, id)
  if (charge.status !== "paid") throw new Error("expected a paid charge")
  return charge
}

const send = async (pix: Pix) => {
  while ((await pix.tick({ deadlineMs: 5_000 })).more);
}

describe("a charge's reference and metadata", () => {
  it("are in the charge, in lists, in searches by the whole reference, in the story and in the payer's export", async () => {
    await using pix = opened()
    const charge = await issue(pix, { ...texts, payer })
    await issue(pix, {})
    expect(charge).toMatchObject(texts)
    expect(await pix.find(shop, charge.id)).toEqual(charge)
    expect((await pix.charges(shop, { ...whole, text: texts.reference })).items).toEqual([charge])
    expect((await pix.charges(shop, { ...whole, text: "Pedido 1042" })).items).toEqual([])
    const first = await issue(pix, { reference: "7" })
    expect((await pix.charges(shop, { ...whole, text: "7" })).items).toEqual([first])
    expect((await pix.charges(shop, { ...whole, text: "J" })).items).toEqual([])
    expect((await pix.charges(neighbour, { ...whole, text: texts.reference })).items).toEqual([])
    expect((await pix.charges(shop, whole)).items).toContainEqual(charge)
    expect((await pix.story(shop, charge.id)).charge).toEqual(charge)
    expect((await pix.payers.export(shop, payer.taxId)).charges).toEqual([charge])
  })

  it("are in the events of the process", async () => {
    const events: Array<PlainEvent> = []
    await using pix = opened((event) => void events.push(event))
    const { id } = await paid(pix)
    await pix.refund(shop, id)
    await paid(pix, {})
    await send(pix)
    const seen = events.map(({ kind, payment }) => [kind, payment?.reference, payment?.metadata])
    expect(seen).toContainEqual(["refunded", texts.reference, texts.metadata])
    expect(seen).toContainEqual(["paid", undefined, undefined])
  })

  it("don't exist in the contract: a request with such fields is answered as one without", async () => {
    await using pix = opened()
    const post = async (faturaPag: object, more: object = {}) => {
      const answer = await pix.fetch(new Request(`http://localhost/api/token/${btoa(`${shop}|${integratorKey}`)}`))
      const { data } = (await answer.json()) as { data: string }
      const request = new Request("http://localhost/api/pix", {
        method: "POST",
        headers: { authorization: `Bearer ${data}`, "content-type": "application/json" },
        body: JSON.stringify({ formaPagamento: { tpTransacao: 11, modPagamento: 18, ...faturaPag }, ...more }),
      })
      return pix.fetch(request)
    }
    const idFaturaPag = randomUUID()
    const own = { reference: "x", referencia: "x", metadata: { a: 1 }, metadados: "x" }
    expect((await post({ idFaturaPag, valorPagamento: 19.9, ...own }, own)).status).toBe(200)
    const charge = await pix.find(shop, idFaturaPag)
    expect("reference" in charge || "metadata" in charge).toBe(false)
    const { id, amountCents } = await issue(pix)
    expect((await post({ idFaturaPag: id, valorPagamento: amountCents / 100 })).status).toBe(200)
  })

  it("are erased with the payer, from the charge and from stored events", async () => {
    await using pix = opened()
    const { id } = await paid(pix, { ...texts, payer })
    await send(pix)
    expect(JSON.stringify(await pix.story(shop, id))).toContain("Joana")
    expect(await pix.payers.erase(shop, payer.taxId)).toBe(1)
    expect(JSON.stringify(await pix.story(shop, id))).not.toContain("Joana")
    expect((await pix.charges(shop, { ...whole, text: texts.reference })).items).toEqual([])
  })

  it("are kept by an erasure that says so, which the audit log records", async () => {
    await using pix = opened()
    const request = { id: randomUUID(), amountCents: 1_990, ...texts, payer }
    await pix.issue(shop, request)
    expect(await pix.by("ana").payers.erase(shop, payer.taxId, { keepReference: true })).toBe(1)
    const kept = await pix.find(shop, request.id)
    expect(kept).toMatchObject(texts)
    expect(kept.payer).toBeUndefined()
    expect(await pix.issue(shop, request)).toEqual(kept)
    const [record] = (await pix.audit.list(shop, { kind: "payerErased" })).items
    expect(record?.change).toMatchObject({ keepReference: true, charges: 1 })
  })
})

describe("a payment's ID on a receipt", () => {
  const spellings = (id: string) => [id, id.toLowerCase(), id.toUpperCase(), ` ${id.slice(0, 9)} ${id.slice(9)}\n`]

  it("finds the charge that the payment settled, in any case and with blanks", async () => {
    await using pix = opened()
    const charge = await paid(pix)
    for (const sought of spellings(charge.payment.endToEndId)) {
      expect(await pix.findPayment(shop, sought)).toEqual({ payment: charge.payment, charge })
      expect(await pix.findPayment(neighbour, sought)).toBeUndefined()
    }
  })

  it("finds a payment that settled no charge, of a known charge or not", async () => {
    await using pix = opened()
    const charge = await paid(pix)
    await pix.simulatePayment(shop, charge.id, {})
    const unknown = `E18036236202611301200${"aBc".padEnd(11, "9")}`
    const notice = { issuer: shop, endToEndId: unknown, amountCents: 500, paidAt: pix.clock.now() }
    await expect(pix.confirmPayment(notice)).rejects.toMatchObject({ _tag: "PaymentUnmatched" })
    const reasons: Array<string> = []
    for await (const exception of pix.exceptions.list(shop)) {
      reasons.push(exception.reason)
      for (const sought of spellings(exception.payment.endToEndId))
        expect(await pix.findPayment(shop, sought)).toEqual({ payment: exception.payment, exception })
    }
    expect(reasons.toSorted()).toEqual(["furtherPayment", "unmatched"])
  })

  it("leads to undefined if the books don't have it", async () => {
    await using pix = opened()
    expect(await pix.findPayment(shop, "E1803623620261130120012345678901")).toBeUndefined()
  })

  it.each(["", "E1", "pedido 7", "E1803623620261130120012345678901x", "E180362362026113012001234567890-", 7, null])(
    "is refused if it is %j",
    async (wrong) => {
      await using pix = opened()
      await expect(pix.findPayment(shop, wrong as string)).rejects.toMatchObject({
        _tag: "InvalidFilter",
        message: "The endToEndId of a filter must be the ID on the payer's receipt: E and 31 more letters and digits.",
      })
    },
  )
})
