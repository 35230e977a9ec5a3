import { callbackFetch } from "@pixcharge/callback-fetch"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryDirectory, memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { type ChargeRequestInput, createPix } from "../src/index.ts"

const shop = {
  cnpj: "12345678000195",
  name: "Loja",
  city: "Recife",
  pixKey: "12345678000195",
  integratorKey: "chave da loja",
  graceDays: 5,
}
const { cnpj } = shop
const noon = Date.UTC(2027, 2, 1, 15)
const minute = 60_000

const opened = () =>
  createPix({
    environment: "sandbox",
    frozenAt: noon,
    store: memoryStore(),
    directory: memoryDirectory({ companies: [shop] }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    recurrences: true,
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })

const payer = { name: "Ana Souza", taxId: "52998224725" }
const dueDate = "2027-03-08"

const issued = async (pix: ReturnType<typeof opened>, terms: Partial<ChargeRequestInput> = {}): Promise<string> => {
  const id = randomUUID()
  await pix.issue(cnpj, { id, amountCents: 1_990, ...terms })
  return id
}

describe("pix.change", () => {
  it("replaces the named fields of an open charge, and keeps the others", async () => {
    await using pix = opened()
    const id = await issued(pix, { dueDate, payer, reference: "pedido 7", graceDays: 3 })
    const before = await pix.find(cnpj, id)
    expect(before).not.toHaveProperty("termsHistory")
    const change = { key: "a", amountCents: 1_490, dueDate: "2027-03-15", messageToPayer: "Novo vencimento" }
    const { charge, number, isNewCode } = await pix.change(cnpj, id, change)
    const { key: _, ...named } = change
    expect(charge).toMatchObject({ ...named, id, payer, reference: "pedido 7", status: "pending" })
    expect(charge.payableUntilIso).toBe("2027-03-19T02:59:59.999Z")
    expect([number, isNewCode]).toEqual([2, charge.brCode !== before.brCode])
    expect(await pix.find(cnpj, id)).toEqual(charge)
    expect((await pix.story(cnpj, id)).charge).toEqual(charge)
    await pix.simulatePayment(cnpj, id)
    expect(await pix.find(cnpj, id)).toMatchObject({ payment: { amountCents: 1_490, otherAmount: false } })
  })

  it("shows all terms with their status, author and times", async () => {
    await using pix = opened()
    const id = await issued(pix, { payableForSeconds: 3_600 })
    await pix.clock.advance("2 minutes")
    await pix.change(cnpj, id, { key: "a", payableForSeconds: 7_200 })
    const { charge } = await pix.by("ana").change(cnpj, id, { key: "b", amountCents: 1_490 })
    expect(charge).not.toHaveProperty("termsRows")
    expect(charge.termsHistory).toMatchObject([
      { number: 1, status: "replaced", amountCents: 1_990, payableUntil: noon + 60 * minute, requestedAt: noon },
      { number: 2, status: "replaced", amountCents: 1_990, payableUntil: noon + 120 * minute, key: "a", by: "host" },
      { number: 3, status: "inForce", amountCents: 1_490, payableUntil: noon + 120 * minute, key: "b", by: "portal" },
    ])
    expect(charge.termsHistory?.[2]).toMatchObject({
      requestedAtIso: "2027-03-01T15:02:00.000Z",
      inForceAtIso: "2027-03-01T15:02:00.000Z",
      payableUntilIso: "2027-03-01T17:00:00.000Z",
    })
  })

  it("is the same change under the same key, also after a later change and the payment", async () => {
    await using pix = opened()
    const id = await issued(pix)
    const change = { key: "a", amountCents: 1_490 }
    const { number } = await pix.change(cnpj, id, change)
    expect(await pix.change(cnpj, id, change)).toMatchObject({ number, charge: { amountCents: 1_490 } })
    await pix.change(cnpj, id, { key: "b", amountCents: 990, messageToPayer: "Oferta" })
    expect(await pix.change(cnpj, id, change)).toMatchObject({ number, charge: { amountCents: 990 } })
    await pix.simulatePayment(cnpj, id)
    expect(await pix.change(cnpj, id, change)).toMatchObject({ number, charge: { status: "paid", amountCents: 990 } })
    expect((await pix.find(cnpj, id)).termsHistory).toHaveLength(3)
  })

  it("is a conflict under the key of another change", async () => {
    await using pix = opened()
    const id = await issued(pix)
    await pix.change(cnpj, id, { key: "a", amountCents: 1_490 })
    for (const other of [{ amountCents: 1_491 }, { amountCents: 1_490, reference: "7" }, {}]) {
      await expect(pix.change(cnpj, id, { key: "a", ...other })).rejects.toMatchObject({
        _tag: "ChangeConflict",
        id,
        key: "a",
      })
    }
    expect(await pix.find(cnpj, id)).toMatchObject({ amountCents: 1_490 })
  })

  it("gives a repeated request the charge of today, with the first terms and with those in force", async () => {
    await using pix = opened()
    const id = await issued(pix)
    const { charge } = await pix.change(cnpj, id, { key: "a", amountCents: 1_490 })
    for (const amountCents of [1_990, 1_490]) expect(await pix.issue(cnpj, { id, amountCents })).toEqual(charge)
    await expect(pix.issue(cnpj, { id, amountCents: 990 })).rejects.toMatchObject({ _tag: "ChargeConflict" })
  })

  it("accepts the payment of a code that the payer read before the change", async () => {
    await using pix = opened()
    const [id, other] = [await issued(pix), await issued(pix)]
    for (const each of [id, other])
      await pix.change(cnpj, each, { key: "a", amountCents: 1_490, payableForSeconds: 300 })
    await pix.clock.advance("6 minutes")
    await pix.simulatePayment(cnpj, id, { outcome: "paidLate", amountCents: 1_990 })
    expect(await pix.find(cnpj, id)).toMatchObject({ status: "paid", payment: { otherAmount: false, late: false } })
    await pix.clock.advance("6 minutes")
    await pix.simulatePayment(cnpj, other, { outcome: "paidLate", amountCents: 1_700 })
    expect(await pix.find(cnpj, other)).toMatchObject({ status: "paid", payment: { otherAmount: true, late: true } })
  })

  it("is in the audit log once, with its actor", async () => {
    await using pix = opened()
    const id = await issued(pix)
    const change = { key: "a", amountCents: 1_490 }
    await pix.by("ana").change(cnpj, id, change)
    await pix.by("rui").change(cnpj, id, change)
    await pix.change(cnpj, id, { key: "b", amountCents: 990 })
    const { items } = await pix.audit.list(cnpj, { kind: "chargeChanged" })
    expect(items.map(({ by, change: recorded }) => [by, recorded])).toEqual([
      ["ana", { kind: "chargeChanged", chargeId: id, key: "a" }],
    ])
  })
})

describe("pix.change refuses", () => {
  it.each([
    ["no key", {}, { _tag: "InvalidChargeChange", field: "key" }],
    ["a key with a space", { key: "a b" }, { _tag: "InvalidChargeChange", field: "key" }],
    ["a due date for a charge without one", { dueDate }, { _tag: "InvalidChargeChange", field: "dueDate" }],
    ["an end that has passed", { payableForSeconds: 60 }, { _tag: "InvalidChargeChange", field: "payableForSeconds" }],
    ["an invalid amount", { amountCents: 0 }, { _tag: "InvalidChargeRequest", field: "amount" }],
    ["a null", { amountCents: null }, { _tag: "InvalidChargeRequest", field: "amount" }],
    ["another id", { id: randomUUID() }, { _tag: "InvalidOption" }],
  ])("%s", async (title, named, error) => {
    await using pix = opened()
    const id = await issued(pix)
    await pix.clock.advance("2 minutes")
    const change = { ...(title !== "no key" && { key: "k" }), ...named } as { key: string }
    await expect(pix.change(cnpj, id, change)).rejects.toMatchObject(error)
    expect(await pix.find(cnpj, id)).not.toHaveProperty("termsHistory")
  })

  it("a due date outside its range, and an earlier end that has passed", async () => {
    await using pix = opened()
    const id = await issued(pix, { dueDate })
    const change = (named: object) => pix.change(cnpj, id, { key: "a", ...named })
    await expect(change({ dueDate: "2027-02-28" })).rejects.toMatchObject({ _tag: "DueDateOutOfRange" })
    await pix.clock.advance("10 days")
    await expect(change({ graceDays: 1 })).rejects.toMatchObject({ _tag: "InvalidChargeChange", field: "graceDays" })
    expect((await change({ amountCents: 1_490 })).charge).toMatchObject({ dueDate, amountCents: 1_490 })
  })

  it("a charge that has ended, with the error of its state", async () => {
    await using pix = opened()
    const [paid, cancelled, expired, refunded] = [
      await issued(pix),
      await issued(pix),
      await issued(pix),
      await issued(pix),
    ]
    for (const id of [paid, refunded]) await pix.simulatePayment(cnpj, id)
    await pix.cancel(cnpj, cancelled)
    await pix.refund(cnpj, refunded)
    await pix.clock.advance("11 minutes")
    const refusals = [
      [paid, "ChargeAlreadyPaid"],
      [cancelled, "ChargeCancelled"],
      [expired, "ChargeExpired"],
      [refunded, "ChargeRefunded"],
      [randomUUID(), "ChargeNotFound"],
    ] as const
    for (const [id, _tag] of refusals) {
      await expect(pix.change(cnpj, id, { key: "a", amountCents: 1_490 }), _tag).rejects.toMatchObject({ _tag })
    }
  })

  it("the charges of a recurrence", async () => {
    await using pix = opened()
    const [first, recurrence] = [randomUUID(), randomUUID()]
    await pix.recurrences.offer(cnpj, {
      id: recurrence,
      payer,
      title: "Academia",
      period: "monthly",
      startDate: "2027-03-31",
      amountCents: 4_990,
      journey: { by: "payment", charge: { id: first, amountCents: 4_990 } },
    })
    const change = (id: string) => pix.change(cnpj, id, { key: "a", amountCents: 3_990 })
    await expect(change(first)).rejects.toMatchObject({ _tag: "ChargeNotChangeable", because: "offer" })
    await pix.simulatePayment(cnpj, first)
    await pix.clock.advance("27 days")
    const { items } = await pix.recurrences.charges(cnpj, recurrence)
    expect(items).toHaveLength(1)
    for (const { id } of items) {
      await expect(change(id)).rejects.toMatchObject({ _tag: "ChargeNotChangeable", because: "cycle" })
    }
  })
})
