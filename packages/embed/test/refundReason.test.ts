import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const shop = {
  cnpj: "12345678000195",
  name: "Loja",
  city: "Recife",
  pixKey: "12345678000195",
  integratorKey: "chave da loja",
  graceDays: 5,
}

const opened = () =>
  createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: memoryDirectory({ companies: [shop] }),
    processor: sandboxProcessor(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const paid = async (pix: ReturnType<typeof opened>, payer?: { name: string; taxId: string }): Promise<string> => {
  const id = randomUUID()
  await pix.issue(shop.cnpj, { id, amountCents: 1_990, payer })
  await pix.simulatePayment(shop.cnpj, id)
  return id
}

describe("the reason of a refund", () => {
  it("is trimmed, kept with the refund and shown in the story, but not in the audit log", async () => {
    await using pix = opened()
    const id = await paid(pix)
    await pix.by("ana").refund(shop.cnpj, id, { reason: "  Produto em falta " })
    expect(await pix.find(shop.cnpj, id)).toMatchObject({ status: "refunded", refund: { reason: "Produto em falta" } })
    const { entries } = await pix.story(shop.cnpj, id)
    expect(entries.find(({ kind }) => kind === "refund")).toMatchObject({ reason: "Produto em falta" })
    const { items } = await pix.audit.list(shop.cnpj)
    expect(items.map(({ change }) => change)).toEqual([{ kind: "refundRequested", chargeId: id, hasReason: true }])
  })

  it("isn't changed by a repeated request, for whole and partial refunds", async () => {
    await using pix = opened()
    const [whole, partlyRefunded] = [await paid(pix), await paid(pix)]
    for (const reason of ["Primeiro", "Segundo", undefined]) {
      await pix.refund(shop.cnpj, whole, { reason })
      await pix.refundPart(shop.cnpj, partlyRefunded, { key: "a", amountCents: 500, reason })
    }
    expect(await pix.find(shop.cnpj, whole)).toMatchObject({ refund: { reason: "Primeiro" } })
    expect(await pix.find(shop.cnpj, partlyRefunded)).toMatchObject({
      partialRefunds: [{ refund: { reason: "Primeiro" } }],
    })
  })

  it("is kept with the refund of an exception", async () => {
    await using pix = opened()
    const id = await paid(pix)
    await pix.simulatePayment(shop.cnpj, id, {})
    for await (const { payment } of pix.exceptions.list(shop.cnpj)) {
      const back = await pix.exceptions.refund(shop.cnpj, payment.endToEndId, { reason: "Pago duas vezes" })
      expect(back.state).toMatchObject({ _tag: "Refunded", reason: "Pago duas vezes" })
    }
    expect.assertions(1)
  })

  it("is erased with the payer's data", async () => {
    await using pix = opened()
    const payer = { name: "João da Silva", taxId: "52998224725" }
    const [whole, partlyRefunded] = [await paid(pix, payer), await paid(pix, payer)]
    await pix.refund(shop.cnpj, whole, { reason: "João desistiu" })
    await pix.refundPart(shop.cnpj, partlyRefunded, { key: "a", amountCents: 500, reason: "João desistiu" })
    await pix.payers.erase(shop.cnpj, payer.taxId)
    for (const id of [whole, partlyRefunded])
      expect(JSON.stringify(await pix.story(shop.cnpj, id))).not.toContain("João")
  })

  it.each(["", "  ", "x".repeat(141), "a\nb", "a\u0000b", "a\u202eb", "obrigado \u{1f600}", 7, null])(
    "is refused if it is %j, and no money is returned",
    async (reason) => {
      await using pix = opened()
      const id = await paid(pix)
      const given = reason as string
      const wrong = { _tag: "InvalidRefundReason" }
      await expect(pix.refund(shop.cnpj, id, { reason: given })).rejects.toMatchObject(wrong)
      const part = { key: "a", amountCents: 500, reason: given }
      await expect(pix.refundPart(shop.cnpj, id, part)).rejects.toMatchObject(wrong)
      expect(await pix.find(shop.cnpj, id)).toMatchObject({ status: "paid", refundableCents: 1_990 })
    },
  )

  it("can't be given to `refund` with an amount, which `refundPart` takes", async () => {
    await using pix = opened()
    const id = await paid(pix)
    for (const given of [500, "500", { amountCents: 500 }, { reason: "Falta", amountCents: 500 }]) {
      await expect(pix.refund(shop.cnpj, id, given as object)).rejects.toMatchObject({ _tag: "InvalidOption" })
    }
    expect(await pix.find(shop.cnpj, id)).toMatchObject({ status: "paid" })
  })
})
