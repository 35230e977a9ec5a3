import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { shop, started } from "./startedShop.ts"

type Pix = Awaited<ReturnType<typeof started>>

const whole = { from: 0, until: 9_999_999_999_999 }

/** Pays a charge twice; returns the endToEndId of the second payment. */
const furtherPayment = async (pix: Pix, paidAt: number): Promise<string> => {
  const { id, txid } = await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })
  await pix.simulatePayment(shop, id)
  const endToEndId = `E00000000202611221200${randomUUID().replaceAll("-", "").slice(0, 11)}`
  await pix.confirmPayment({ issuer: shop, endToEndId, txid, amountCents: 1_990, paidAt })
  return endToEndId
}

describe("the exceptions of a company", () => {
  it("are listed by period and status, page by page, and found by their endToEndId", async () => {
    await using pix = await started()
    const now = pix.clock.now()
    const [open, kept, returned] = [
      await furtherPayment(pix, now),
      await furtherPayment(pix, now + 1),
      await furtherPayment(pix, now + 2),
    ]
    await pix.by("ana").exceptions.resolve(shop, kept, "pago em dobro, abatido na próxima")
    await pix.by("ana").exceptions.refund(shop, returned)
    const first = await pix.exceptions.search(shop, whole, { limit: 2 })
    const second = await pix.exceptions.search(shop, whole, { limit: 2, cursor: first.cursor ?? "" })
    const all = [...first.items, ...second.items]
    expect(all.map(({ payment, status }) => [payment.endToEndId, status])).toEqual([
      [returned, "returned"],
      [kept, "resolved"],
      [open, "open"],
    ])
    expect(second.cursor).toBeUndefined()
    const { items } = await pix.exceptions.search(shop, { ...whole, status: "resolved" })
    expect(items).toEqual([await pix.exceptions.find(shop, kept)])
    expect(items[0]?.state).toMatchObject({ _tag: "Resolved", note: "pago em dobro, abatido na próxima" })
    expect(items[0]?.payment.paidAtIso).toBe(new Date(now + 1).toISOString())
    const waiting = []
    for await (const exception of pix.exceptions.list(shop)) waiting.push(exception)
    expect(waiting).toEqual([await pix.exceptions.find(shop, open)])
    await expect(pix.exceptions.find(shop, "E1")).rejects.toMatchObject({ _tag: "ExceptionNotFound" })
    await expect(pix.exceptions.find(shop, 5 as never)).rejects.toMatchObject({ _tag: "InvalidFilter" })
  })

  it.each([
    ["from", { until: 1 }, {}],
    ["until", { from: 0, until: "1" }, {}],
    ["status", { ...whole, status: "paid" }, {}],
    ["limit", whole, { limit: "3" }],
    ["cursor", whole, { cursor: 5 }],
    ["from", null, {}],
  ])("are not listed for an invalid %s: %j, %j", async (field, filter, page) => {
    await using pix = await started()
    await expect(pix.exceptions.search(shop, filter as never, page as never)).rejects.toMatchObject({
      _tag: "InvalidFilter",
      field,
    })
  })
})
