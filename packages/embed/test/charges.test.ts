import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const shop = "12345678000195"
const neighbour = "11222333000181"
const facts = { name: "Loja", city: "Recife", graceDays: 5, integratorKey: "chave da loja" }

const started = () =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({
      companies: [shop, neighbour].map((cnpj) => ({ ...facts, cnpj, pixKey: cnpj })),
    }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const payer = { name: "João da Silva", taxId: "529.982.247-25" }
const whole = { from: 0, until: 4e12 }
const payerTexts = { messageToPayer: "Pedido 7", additionalInfo: [{ name: "Mesa", value: "12" }] }

const given = (value: unknown) => value as never

describe("a charge of a host", () => {
  it("is payable for the requested time, and keeps its texts for the payer", async () => {
    await using pix = started()
    const request = { id: randomUUID(), amountCents: 1_990, payableForSeconds: 3_600, ...payerTexts }
    const charge = await pix.issue(shop, request)
    expect(charge.payableUntil - charge.createdAt).toBe(3_600_000)
    expect(charge).toMatchObject(payerTexts)
    expect(await pix.find(shop, charge.id)).toEqual(charge)
    expect(await pix.issue(shop, { ...request, id: request.id.toUpperCase() })).toEqual(charge)
    for (const other of [{ payableForSeconds: 3_601 }, { messageToPayer: "Pedido 8" }, { additionalInfo: [] }]) {
      await expect(pix.issue(shop, { ...request, ...other })).rejects.toMatchObject({ _tag: "ChargeConflict" })
    }
    await pix.clock.advance("59 minutes")
    expect((await pix.find(shop, charge.id)).status).toBe("pending")
    await pix.clock.advance("2 minutes")
    expect((await pix.find(shop, charge.id)).status).toBe("expired")
  })

  it("is returned unchanged when it is requested again over HTTP, where the contract has no fields for its texts", async () => {
    await using pix = started()
    const id = randomUUID()
    const charge = await pix.issue(shop, { id, amountCents: 1_990, payableForSeconds: 3_600, ...payerTexts })
    const secret = btoa(`${shop}|${facts.integratorKey}`)
    const token = (await (await pix.fetch(new Request(`http://localhost/api/token/${secret}`))).json()) as {
      data: string
    }
    const post = (valorPagamento: number) =>
      pix.fetch(
        new Request("http://localhost/api/pix", {
          method: "POST",
          headers: { authorization: `Bearer ${token.data}`, "content-type": "application/json" },
          body: JSON.stringify({
            formaPagamento: { tpTransacao: 11, idFaturaPag: id, modPagamento: 18, valorPagamento },
          }),
        }),
      )
    const answer = await post(19.9)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ data: { retUrl: charge.brCode, expira: charge.payableUntilIso } })
    expect((await post(19.91)).status).toBe(409)
  })

  it("is refused with the name of the invalid field", async () => {
    await using pix = started()
    const request = { id: randomUUID(), amountCents: 1_990 }
    for (const [field, value] of Object.entries({
      payableForSeconds: 59,
      messageToPayer: "a".repeat(141),
      additionalInfo: [{ name: "", value: "a" }],
    })) {
      const refused = pix.issue(shop, { ...request, [field]: value })
      await expect(refused).rejects.toMatchObject({ _tag: "InvalidChargeRequest", field })
    }
  })
})

describe("the charges of a company", () => {
  it("are listed newest first and page by page, each with its status as of now", async () => {
    await using pix = started()
    const ids: Array<string> = []
    for (let index = 0; index < 5; index++) {
      const { id } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
      ids.unshift(id)
      await pix.clock.advance("1 second")
    }
    await pix.issue(neighbour, { id: randomUUID(), amountCents: 1_990 })
    const first = await pix.charges(shop, whole, { limit: 3 })
    const second = await pix.charges(shop, whole, { limit: 3, cursor: first.cursor ?? "" })
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
    expect(second.cursor).toBeUndefined()
    expect(first.items[0]).toEqual(await pix.find(shop, ids[0] ?? ""))
    await pix.clock.advance("10 minutes")
    expect((await pix.charges(shop, whole)).items.map(({ status }) => status)).toEqual(ids.map(() => "expired"))
    const { createdAt } = await pix.find(shop, ids[4] ?? "")
    expect((await pix.charges(shop, { from: createdAt, until: createdAt + 1 })).items.map(({ id }) => id)).toEqual([
      ids[4],
    ])
  })

  it("are found by status and by text", async () => {
    await using pix = started()
    const [paid, expired] = [randomUUID(), randomUUID()]
    await pix.issue(shop, { id: paid, amountCents: 1_990, payer })
    await pix.simulatePayment(shop, paid)
    await pix.issue(shop, { id: expired, amountCents: 1_990, payer })
    await pix.clock.advance("11 minutes")
    await pix.issue(neighbour, { id: paid, amountCents: 1_990, payer })
    const findIds = async (filter: object) =>
      (await pix.charges(shop, { ...whole, ...filter })).items.map(({ id }) => id)
    expect(await findIds({ status: "paid" })).toEqual([paid])
    expect(await findIds({ status: "expired" })).toEqual([expired])
    expect(await findIds({ status: "pending" })).toEqual([])
    expect((await findIds({ text: "joao" })).toSorted()).toEqual([paid, expired].toSorted())
    expect(await findIds({ text: "JOÃO DA", status: "paid" })).toEqual([paid])
    expect(await findIds({ text: payer.taxId, status: "expired" })).toEqual([expired])
    expect(await findIds({ text: paid.slice(0, 13) })).toEqual([paid])
    expect(await findIds({ status: undefined, text: undefined })).toHaveLength(2)
    for (const amount of [{}, { minCents: 1_990 }, { maxCents: 1_990 }])
      expect(await findIds({ amount })).toHaveLength(2)
    for (const amount of [{ minCents: 1_991 }, { maxCents: 1_989 }]) expect(await findIds({ amount })).toEqual([])
  })

  it.each([
    ["from", { from: undefined }],
    ["from", { from: "0" }],
    ["from", { from: Number.NaN }],
    ["from", { from: -1e300 }],
    ["until", { until: undefined }],
    ["until", { until: Infinity }],
    ["until", { until: 1e300 }],
    ["status", { status: "waiting" }],
    ["status", { status: "toString" }],
    ["status", { status: ["paid"] }],
    ["status", { status: null }],
    ["amount", { amount: 500 }],
    ["amount", { amount: null }],
    ["amount", { amount: { minCents: -1 } }],
    ["amount", { amount: { maxCents: 0.5 } }],
    ["amount", { amount: { maxCents: "500" } }],
    ["due", { due: { from: "2027-01-01" } }],
    ["due", { due: { from: "2027-01-01", until: "2027-02-30" } }],
    ["due", { due: { from: 1, until: 2 } }],
    ["paid", { paid: { from: 0 } }],
    ["paid", { paid: { from: "2027-01-01", until: "2027-01-02" } }],
    ["text", { text: "" }],
    ["text", { text: "   " }],
    ["text", { text: "a\0b" }],
    ["text", { text: "a".repeat(201) }],
    ["text", { text: ["joao"] }],
    ["text", { text: null }],
  ])("are not listed for an invalid %s: %j", async (field, filter) => {
    await using pix = started()
    const error = {
      _tag: "InvalidFilter",
      field,
      message: expect.stringContaining(`The ${field} of a filter must be `),
    }
    await expect(pix.charges(shop, given({ ...whole, ...filter }))).rejects.toMatchObject(error)
  })

  it.each([
    ["cursor", 7],
    ["cursor", ""],
    ["cursor", "a\0b"],
    ["cursor", "nonsense"],
    ["cursor", "1_2"],
    ["cursor", "1_7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5g"],
    ["cursor", "99999999999999999999999_7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"],
    ["limit", "10"],
  ])("are not listed for an invalid %s of a page: %j", async (field, value) => {
    await using pix = started()
    const listing = pix.charges(shop, whole, given({ [field]: value }))
    await expect(listing).rejects.toMatchObject({ _tag: "InvalidFilter", field })
  })

  it("are listed with a null page, but not without a filter", async () => {
    await using pix = started()
    for (const [nothing, field] of [
      [undefined, "from"],
      [null, "from"],
      ["2026", "filter"],
    ]) {
      await expect(pix.charges(shop, given(nothing))).rejects.toMatchObject({ _tag: "InvalidFilter", field })
    }
    expect(await pix.charges(shop, whole, given(null))).toEqual({ items: [] })
    await expect(pix.charges(given(7), whole)).rejects.toMatchObject({ _tag: "InvalidTaxId" })
  })
})
