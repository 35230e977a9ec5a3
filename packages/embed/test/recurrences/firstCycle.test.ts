import { describe, expect, it } from "vitest"
import { anOffer, cnpj, openShop } from "./recurringShop.ts"

/** Of an approval: when the first cycle is due. */
const approvals = ({ events }: ReturnType<typeof openShop>) =>
  events.flatMap((event) => (event.kind === "recurrence-approved" ? [event.firstDueDate] : []))

const missed = ({ events }: ReturnType<typeof openShop>) =>
  events.flatMap((event) => (event.kind === "payment-failed" && event.reason === "missed" ? [event.cycle] : []))

describe("the first cycle of a recurrence", () => {
  it("can still be charged when it is offered: a yearly one from today is refused", async () => {
    await using shop = openShop()
    const { offer } = shop.pix.recurrences
    const yearly = anOffer({ period: "yearly", startDate: "2027-03-01" })
    // Monday noon: what is due by Wednesday can still be ordered today until 22:00.
    await expect(offer(cnpj, yearly)).rejects.toMatchObject({ _tag: "StartDateTooEarly", earliest: "2027-03-03" })
    await expect(offer(cnpj, { ...yearly, startDate: "2027-03-02" })).rejects.toMatchObject({ earliest: "2027-03-03" })
    expect(await offer(cnpj, { ...yearly, startDate: "2027-03-03" })).toMatchObject({ firstDueDate: "2027-03-03" })
  })

  it("is named to its host when it is offered, and when it is approved", async () => {
    await using shop = openShop()
    const offer = anOffer()
    expect(await shop.pix.recurrences.offer(cnpj, offer)).toMatchObject({ firstDueDate: "2027-03-20" })
    const approved = await shop.pix.recurrences.play(cnpj, offer.id, "approve")
    expect(approved).toMatchObject({ status: "approved", nextDueDate: "2027-03-20" })
    await shop.settle()
    expect(approvals(shop)).toEqual(["2027-03-20"])
  })

  it("is told as missed where the payer approves after its window, and the approval names the one that is charged", async () => {
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

  it("is told as missed where the end date leaves no other, and the approval names none", async () => {
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

it("a recurrence tells the due date of the next cycle that its host doesn't leave out, until it is over", async () => {
  await using shop = openShop()
  const id = await shop.approve()
  expect(await shop.pix.recurrences.skip(cnpj, id, 1)).toMatchObject({ nextDueDate: "2027-04-20" })
  const { items } = await shop.pix.recurrences.list(cnpj)
  expect(items).toMatchObject([{ nextDueDate: "2027-04-20" }])
  expect(await shop.pix.recurrences.end(cnpj, id)).not.toHaveProperty("nextDueDate")
})
