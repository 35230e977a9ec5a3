import { ProcessorUnavailable } from "@pixcharge/core"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { RecurrenceRequestInput } from "../../src/index.ts"
import { changeBank } from "./changeBank.ts"
import { openStore } from "./openPair.ts"
import { anOffer, cnpj, inBrasilia, openShop, otherCnpj } from "./recurringShop.ts"

const settlesOn = "2027-03-22"

/** Counts the debits that the bank lists for the day, and how many differ from the books. */
const compare = async ({ pix }: ReturnType<typeof openShop>) => {
  const from = inBrasilia(settlesOn, "00:00")
  const { rows, differences } = await pix.comparison(cnpj, { from, until: from + 86_400_000 })
  return { listed: rows.length, differences }
}

/** Books that have only the offer, like a backup from before the bank's later changes. */
const openBackup = async (processor: SandboxProcessor, offer: RecurrenceRequestInput) => {
  const opened = await openStore()
  const backup = openShop({ processor, store: opened.store })
  await backup.pix.recurrences.offer(cnpj, offer)
  await backup.pix.dispose()
  return opened
}

describe("books restored to before the approval", () => {
  it("get a cycle's charge and its payment after the cycle's window has closed", async () => {
    const { processor } = sandboxBank()
    const before = openShop({ processor })
    const offer = anOffer()
    await before.approve(offer)
    await using opened = await openBackup(processor, offer)
    await before.goTo("2027-03-17")
    const [made] = await before.charges(offer.id)
    await before.pix.dispose()
    // The window closed on Thursday at 22:00.
    await using shop = openShop({ processor, store: opened.store, frozenAt: inBrasilia("2027-03-19") })
    await shop.goTo("2027-03-23")
    const [found] = await shop.charges(offer.id)
    expect([found?.txid, found?.status]).toEqual([made?.txid, "paid"])
    expect(shop.kinds()).not.toContain("payment-failed")
    expect(await compare(shop)).toEqual({ listed: 1, differences: 0 })
  })

  it("get a charge and its payment even if the host now charges another amount", async () => {
    const { processor } = sandboxBank()
    const before = openShop({ processor })
    const { amountCents: _, ...offer } = anOffer()
    await before.pix.recurrences.offer(cnpj, offer)
    await before.pix.recurrences.play(cnpj, offer.id, "approve")
    await before.goTo("2027-03-16")
    await before.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 5_000 })
    await before.pix.dispose()
    await using shop = openShop({ processor, frozenAt: inBrasilia("2027-03-17") })
    await shop.pix.recurrences.offer(cnpj, offer)
    await shop.settle()
    const charge = await shop.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 6_000 })
    await shop.goTo("2027-03-23")
    expect(await compare(shop)).toEqual({ listed: 1, differences: 0 })
    const [found] = await shop.charges(offer.id)
    expect([found?.txid, found?.status]).toEqual([charge.txid, "paid"])
  })

  it("get the replacement of a cancelled charge, and its payment", async () => {
    const { processor } = sandboxBank()
    const before = openShop({ processor })
    const { amountCents: _, ...offer } = anOffer()
    await before.pix.recurrences.offer(cnpj, offer)
    await using opened = await openBackup(processor, offer)
    await before.pix.recurrences.play(cnpj, offer.id, "approve")
    await before.goTo("2027-03-15")
    const { id } = await before.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 5_000 })
    await before.pix.cancel(cnpj, id)
    const second = await before.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 4_000 })
    await before.pix.dispose()
    await using shop = openShop({ processor, store: opened.store, frozenAt: inBrasilia("2027-03-19") })
    await shop.goTo("2027-04-05")
    expect((await shop.charges(offer.id)).map(({ txid, status }) => [txid, status])).toContainEqual([
      second.txid,
      "paid",
    ])
    expect(await compare(shop)).toEqual({ listed: 1, differences: 0 })
  })
})

it("finds the replacement of a cancelled charge, and its payment, if books are restored months later", async () => {
  const { processor } = sandboxBank()
  const { amountCents: _, ...offer } = anOffer()
  const before = openShop({ processor })
  await before.pix.recurrences.offer(cnpj, offer)
  await using opened = await openBackup(processor, offer)
  const { store } = opened
  await before.pix.recurrences.play(cnpj, offer.id, "approve")
  await before.goTo("2027-03-15")
  const { id } = await before.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 5_000 })
  await before.pix.cancel(cnpj, id)
  const second = await before.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 4_000 })
  await before.goTo("2027-03-23")
  await before.pix.dispose()
  await using shop = openShop({ processor, store, frozenAt: inBrasilia("2027-06-30") })
  await shop.goTo("2027-07-01")
  const [first, last] = await shop.charges(offer.id)
  expect([first?.status, last?.txid, last?.status]).toEqual(["cancelled", second.txid, "paid"])
  expect(await compare(shop)).toEqual({ listed: 1, differences: 0 })
})

it("finds the replacement of a cancelled charge months later if books are restored to just after the cancellation", async () => {
  const { processor } = sandboxBank()
  const { amountCents: _, ...offer } = anOffer()
  await using opened = await openStore()
  const { store } = opened
  const backup = openShop({ processor, store })
  await backup.pix.recurrences.offer(cnpj, offer)
  await backup.pix.recurrences.play(cnpj, offer.id, "approve")
  await backup.goTo("2027-03-15")
  const { id } = await backup.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 5_000 })
  await backup.pix.cancel(cnpj, id)
  await backup.pix.dispose()
  const later = openShop({ processor, frozenAt: inBrasilia("2027-03-16") })
  await later.pix.recurrences.offer(cnpj, offer)
  await later.settle()
  await later.goTo("2027-03-17")
  const order = { cycle: 1, amountCents: 4_000 }
  expect(await later.pix.recurrences.charge(cnpj, offer.id, order)).toMatchObject({ id, status: "cancelled" })
  const second = await later.pix.recurrences.charge(cnpj, offer.id, order)
  await later.goTo("2027-03-23")
  await later.pix.dispose()
  await using shop = openShop({ processor, store, frozenAt: inBrasilia("2027-05-30") })
  await shop.goTo("2027-05-31")
  expect((await shop.charges(offer.id)).map(({ txid, status }) => [txid, status])).toContainEqual([second.txid, "paid"])
  expect(await compare(shop)).toEqual({ listed: 1, differences: 0 })
})

it("finds the payment of a charge that restored books lack, even if the payer ended the recurrence that day", async () => {
  const { processor } = sandboxBank()
  const offer = anOffer()
  await using opened = await openStore()
  const { store } = opened
  const backup = openShop({ processor, store })
  await backup.approve(offer)
  await backup.settle()
  await backup.pix.dispose()
  const before = openShop({ processor, frozenAt: inBrasilia("2027-03-02") })
  await before.pix.recurrences.offer(cnpj, offer)
  await before.goTo("2027-03-22")
  await before.pix.recurrences.play(cnpj, offer.id, "cancel")
  await before.pix.dispose()
  await using shop = openShop({ processor, store, frozenAt: inBrasilia("2027-03-22", "14:00") })
  await shop.goTo("2027-03-23")
  expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({ status: "ended", nextCycle: 2 })
  expect((await shop.charges(offer.id)).map(({ status }) => status)).toEqual(["paid"])
  expect(await compare(shop)).toEqual({ listed: 1, differences: 0 })
})

describe("a charge at the bank whose order the restored books lack", () => {
  /** Opens a shop whose books are from before the charge, at a bank that shows the charge with this key. */
  const openShown = async (pixKey: string) => {
    const { processor } = sandboxBank()
    const { amountCents: _, ...offer } = anOffer()
    const before = openShop({ processor })
    await before.pix.recurrences.offer(cnpj, offer)
    await before.pix.recurrences.play(cnpj, offer.id, "approve")
    await before.goTo("2027-03-16")
    await before.pix.recurrences.charge(cnpj, offer.id, { cycle: 1, amountCents: 5_000 })
    await before.pix.dispose()
    const line = { losesOrders: false }
    const shown = changeBank(processor, (port) => ({
      ...port,
      charge: (order) =>
        line.losesOrders
          ? Effect.fail(new ProcessorUnavailable({ operation: "charge", cause: "no answer" }))
          : port.charge(order),
      lookupCharge: (charge) => Effect.map(port.lookupCharge(charge), (view) => ({ ...view, pixKey })),
    }))
    const shop = openShop({ processor: shown, frozenAt: inBrasilia("2027-03-17") })
    await shop.pix.recurrences.offer(cnpj, offer)
    await shop.settle()
    return { ...shop, line, id: offer.id }
  }

  it("is found even if no company has its Pix key any more", async () => {
    await using shop = await openShown("antiga@example.com")
    await shop.goTo("2027-03-19")
    expect((await shop.charges(shop.id)).map(({ amountCents }) => amountCents)).toEqual([5_000])
  })

  it("is ignored if its Pix key is another company's", async () => {
    await using shop = await openShown(otherCnpj)
    await shop.goTo("2027-03-23")
    expect(await shop.charges(shop.id)).toEqual([])
    expect(shop.events.at(-1)).toMatchObject({ kind: "payment-failed", reason: "missed" })
  })

  it("isn't taken for a new order's charge if its Pix key is another company's", async () => {
    await using shop = await openShown(otherCnpj)
    const order = { cycle: 1, amountCents: 6_000 }
    expect(await shop.pix.recurrences.charge(cnpj, shop.id, order)).toMatchObject({ debit: { status: "rejected" } })
    await shop.goTo("2027-03-23")
    expect((await shop.charges(shop.id)).map(({ status }) => status)).not.toContain("paid")
  })

  it("isn't taken for an unanswered order's charge if its Pix key is another company's", async () => {
    await using shop = await openShown(otherCnpj)
    shop.line.losesOrders = true
    await shop.pix.recurrences.charge(cnpj, shop.id, { cycle: 1, amountCents: 6_000 })
    await shop.goTo("2027-03-23")
    expect(await shop.charges(shop.id)).toMatchObject([{ status: "failed", debit: { status: "rejected" } }])
  })
})
