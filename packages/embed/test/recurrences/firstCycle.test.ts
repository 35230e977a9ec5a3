import { describe, expect, it } from "vitest"
import { anOffer, cnpj, openShop } from "./recurringShop.ts"

/** The first due date of each approval. */
const approvals = ({ events }: ReturnType<typeof openShop>) =>
  events.flatMap((event) => (event.kind === "recurrence-approved" ? [event.firstDueDate] : []))

const missed = ({ events }: ReturnType<typeof openShop>) =>
  events.flatMap((event) => (event.kind === "payment-failed" && event.reason === "missed" ? [event.cycle] : []))

describe("the first cycle of a recurrence", () => {
  it("must still be chargeable at the offer: a yearly recurrence from today is refused", async () => {
    await using shop = openShop()
    const { offer } = shop.pix.recurrences
    const yearly = anOffer({ period: "yearly", startDate: "2027-03-01" })
    // On Monday at noon, the earliest debit that can still be ordered is Wednesday's.
    await expect(offer(cnpj, yearly)).rejects.toMatchObject({ _tag: "StartDateTooEarly", earliest: "2027-03-03" })
    await expect(offer(cnpj, { ...yearly, startDate: "2027-03-02" })).rejects.toMatchObject({ earliest: "2027-03-03" })
    expect(await offer(cnpj, { ...yearly, startDate: "2027-03-03" })).toMatchObject({ firstDueDate: "2027-03-03" })
  })

  it("is shown to the host with its due date at the offer and at the approval", async () => {
    await using shop = openShop()
    const offer = anOffer()
    expect(await shop.pix.recurrences.offer(cnpj, offer)).toMatchObject({ firstDueDate: "2027-03-20" })
    const approved = await shop.pix.recurrences.play(cnpj, offer.id, "approve")
    expect(approved).toMatchObject({ status: "approved", nextDueDate: "2027-03-20" })
    await shop.settle()
    expect(approvals(shop)).toEqual(["2027-03-20"])
  })

  it("is reported as missed after a late approval, whose event names the next cycle's due date", async () => {
    await using shop = openShop()
    const offer = anOffer({ startDate: "2027-03-11" })
    await shop.pix.recurrences.offer(cnpj, offer)
    await shop.goTo("2027-03-10")
    expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({ firstDueDate: "2027-04-11" })
    await shop.pix.recurrences.play(cnpj, offer.id, "approve")
    await shop.settle()
    expect([approvals(shop), missed(shop)]).toEqual([["2027-04-11"], [1]])
    await shop.goTo("2027-04-13")
    expect((await shop.charges(offer.id)).map(({ dueDate }) => dueDate)).toEqual(["2027-04-11"])
    expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({ nextDueDate: "2027-05-11" })
  })

  it("is reported as missed even if no cycle follows, and the approval then names no due date", async () => {
    await using shop = openShop()
    const offer = anOffer({ startDate: "2027-03-11", endDate: "2027-03-31" })
    await shop.pix.recurrences.offer(cnpj, offer)
    await shop.goTo("2027-03-10")
    expect(await shop.pix.recurrences.find(cnpj, offer.id)).not.toHaveProperty("firstDueDate")
    await shop.pix.recurrences.play(cnpj, offer.id, "approve")
    await shop.settle()
    expect([approvals(shop), missed(shop)]).toEqual([[undefined], [1]])
  })
})

it("shows the due date of the next cycle that isn't skipped, until the recurrence is over", async () => {
  await using shop = openShop()
  const id = await shop.approve()
  expect(await shop.pix.recurrences.skip(cnpj, id, 1)).toMatchObject({ nextDueDate: "2027-04-20" })
  const { items } = await shop.pix.recurrences.list(cnpj)
  expect(items).toMatchObject([{ nextDueDate: "2027-04-20" }])
  expect(await shop.pix.recurrences.end(cnpj, id)).not.toHaveProperty("nextDueDate")
})
