import { sandboxBank } from "@pixcharge/processor-sandbox"
import { describe, expect, it } from "vitest"
import { openPair, openStore } from "./openPair.ts"
import { anOffer, cnpj, inBrasilia, openShop } from "./recurringShop.ts"

const day = (moment: number): string => new Date(moment - 3 * 3_600_000).toISOString().slice(0, 10)

/** The due date of each cycle and the business day of its debit, written by hand from the calendar. */
const year = [
  ["2027-03-31", "2027-03-31"],
  ["2027-04-30", "2027-04-30"],
  ["2027-05-31", "2027-05-31"],
  ["2027-06-30", "2027-06-30"],
  ["2027-07-31", "2027-08-02"], // Saturday
  ["2027-08-31", "2027-08-31"],
  ["2027-09-30", "2027-09-30"],
  ["2027-10-31", "2027-11-01"], // Sunday
  ["2027-11-30", "2027-11-30"],
  ["2027-12-31", "2027-12-31"],
  ["2028-01-31", "2028-01-31"],
  ["2028-02-29", "2028-03-01"], // Carnival
] as const

describe("a year of monthly cycles from the last day of March", () => {
  it("charges each cycle once, on business days", async () => {
    await using shop = openShop()
    const id = await shop.approve({ startDate: "2027-03-31", endDate: "2028-03-30" })
    await shop.goTo("2028-04-30")
    const charges = await shop.charges(id)
    expect(charges.map(({ dueDate, cycle }) => [dueDate, cycle?.settlesOn])).toEqual(year)
    expect(charges.map(({ status, amountCents }) => [status, amountCents])).toEqual(year.map(() => ["paid", 4_990]))
    expect(charges.map(({ cycle }) => [cycle?.cycle, cycle?.generation])).toEqual(
      year.map((_, index) => [index + 1, 1]),
    )
    const paid = shop.events.filter(({ kind }) => kind === "paid")
    expect(paid.map(({ occurredAt }) => day(occurredAt))).toEqual(year.map(([, settles]) => settles))
    expect(shop.kinds().filter((kind) => kind === "payment-scheduled")).toHaveLength(12)
    expect(shop.kinds()).not.toContain("payment-failed")
    expect(new Set(shop.events.map((event) => event.id)).size).toBe(shop.events.length)
    // The books have every payment of the bank's list.
    const from = inBrasilia("2027-08-02", "00:00")
    const { rows, differences } = await shop.pix.comparison(cnpj, { from, until: from + 86_400_000 })
    expect([rows.length, differences]).toEqual([1, 0])
  })

  it("reports the cycles that the host missed while it was down, and doesn't charge them later", async () => {
    await using opened = await openStore()
    const parts = { store: opened.store, processor: sandboxBank().processor }
    const before = openShop(parts)
    const id = await before.approve({ startDate: "2027-03-31" })
    await before.goTo("2027-04-01")
    await before.pix.dispose()
    await using shop = openShop({ ...parts, frozenAt: inBrasilia("2027-06-15") })
    await shop.settle()
    const missed = shop.events.flatMap((event) =>
      event.kind === "payment-failed" ? [[event.cycle, event.reason]] : [],
    )
    expect(missed).toEqual([
      [2, "missed"],
      [3, "missed"],
    ])
    await shop.goTo("2027-07-01")
    expect((await shop.charges(id)).map(({ cycle, status }) => [cycle?.cycle, status])).toEqual([
      [1, "paid"],
      [4, "paid"],
    ])
  })
})

describe("a recurrence without a fixed amount", () => {
  it("asks the host for each cycle's amount, and charges it", async () => {
    await using shop = openShop()
    const { pix } = shop
    const id = await shop.approve({ amountCents: undefined, floorCents: 1_000 })
    await expect(pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 700 })).rejects.toMatchObject({
      _tag: "CycleNotOpen",
      opensAt: inBrasilia("2027-03-15", "09:00"),
    })
    await shop.goTo("2027-03-15", "10:00")
    expect(shop.events.at(-1)).toMatchObject({ kind: "cycle-due", cycle: 1, dueDate: "2027-03-20" })
    const charge = await pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 700, dueDate: "2027-03-22" })
    expect(charge).toMatchObject({ amountCents: 700, dueDate: "2027-03-22", status: "pending" })
    await expect(pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 700 })).rejects.toMatchObject({
      _tag: "CycleNotOpen",
    })
    await shop.goTo("2027-03-23")
    expect(await pix.find(cnpj, charge.id)).toMatchObject({ status: "paid", payment: { amountCents: 700 } })
  })

  it("reports a missed cycle once if the host gave no amount", async () => {
    await using shop = openShop()
    const id = await shop.approve({ amountCents: undefined })
    await shop.goTo("2027-04-05")
    expect(shop.events.flatMap((event) => (event.kind === "cycle-due" ? event.cycle : []))).toEqual([1])
    expect(
      shop.events.flatMap((event) => (event.kind === "payment-failed" ? [[event.cycle, event.reason]] : [])),
    ).toEqual([[1, "missed"]])
    expect(await shop.charges(id)).toEqual([])
  })

  it("reports an amount above the payer's maximum as rejected, and charges a lower amount in the same window", async () => {
    await using shop = openShop()
    const { pix } = shop
    const id = await shop.approve({ amountCents: undefined })
    await pix.recurrences.play(cnpj, id, { maximumCents: 5_000 })
    await shop.goTo("2027-03-15", "10:00")
    const rejected = await pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 5_001 })
    await pix.clock.advance("2 minutes")
    await shop.settle()
    expect(shop.events.at(-1)).toMatchObject({ kind: "payment-failed", reason: "rejected", code: "AM02" })
    await pix.cancel(cnpj, rejected.id)
    const lower = await pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 5_000 })
    expect(lower.cycle).toMatchObject({ cycle: 1, generation: 2 })
    await shop.goTo("2027-03-23")
    expect((await shop.charges(id)).map(({ status, amountCents }) => [status, amountCents])).toEqual([
      ["cancelled", 5_001],
      ["paid", 5_000],
    ])
  })
})

describe("a fixed amount", () => {
  it("is charged without a call, and never with another amount", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-03-15", "08:00")
    await expect(shop.pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 1 })).rejects.toMatchObject({
      _tag: "AmountIsFixed",
      amountCents: 4_990,
    })
  })
})

describe("a cycle's charge", () => {
  it("can be cancelled until 22:00 of the day before its debit", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-03-21", "21:59")
    const [charge] = await shop.charges(id)
    expect(await shop.pix.cancel(cnpj, charge?.id ?? "")).toMatchObject({ status: "cancelled" })
    await shop.goTo("2027-03-31")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["cancelled"])
    expect(shop.kinds()).not.toContain("paid")
  })

  it("can't be cancelled from 22:00 on the day before its debit, and is paid", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-03-21", "22:00")
    const [charge] = await shop.charges(id)
    await expect(shop.pix.cancel(cnpj, charge?.id ?? "")).rejects.toMatchObject({ _tag: "CancelTooLate" })
    await shop.goTo("2027-03-22", "08:30")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
  })

  it("can be refunded in parts like any charge", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-03-23")
    const [charge] = await shop.charges(id)
    await shop.pix.refundPart(cnpj, charge?.id ?? "", { key: "a", amountCents: 990 })
    expect(await shop.pix.find(cnpj, charge?.id ?? "")).toMatchObject({ refundableCents: 4_000 })
    await shop.pix.refundPart(cnpj, charge?.id ?? "", { key: "b", amountCents: 4_000 })
    expect(await shop.pix.find(cnpj, charge?.id ?? "")).toMatchObject({ status: "refunded" })
  })

  it("has no code, and can't be paid by its payer", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-03-16")
    const [charge] = await shop.charges(id)
    expect(charge).not.toHaveProperty("brCode")
    await expect(shop.pix.simulatePayment(cnpj, charge?.id ?? "")).rejects.toMatchObject({ _tag: "ChargeNotFound" })
  })
})

it("names the cycle in the host's events of its payment and refund", async () => {
  await using shop = openShop()
  const id = await shop.approve()
  await shop.goTo("2027-03-23")
  const [charge] = await shop.charges(id)
  await shop.pix.refund(cnpj, charge?.id ?? "")
  await shop.settle()
  const cycle = { recurrenceId: id, contract: charge?.cycle?.contract, cycle: 1 }
  const events = shop.events.flatMap((event) =>
    event.payment === undefined ? [] : [[event.kind, event.payment.cycle]],
  )
  expect(events).toEqual([
    ["paid", cycle],
    ["refunded", cycle],
  ])
})

it("never charges a skipped cycle, and cancels its charge if it has one", async () => {
  await using shop = openShop()
  const { pix } = shop
  const id = await shop.approve()
  await pix.recurrences.skip(cnpj, id, 2)
  await shop.goTo("2027-03-15")
  await pix.recurrences.skip(cnpj, id, 1)
  await shop.goTo("2027-04-12", "10:00")
  await expect(pix.recurrences.charge(cnpj, id, { cycle: 2, amountCents: 4_990 })).rejects.toMatchObject({
    _tag: "CycleNotOpen",
  })
  await shop.goTo("2027-05-31")
  expect((await shop.charges(id)).map(({ cycle, status }) => [cycle?.cycle, status])).toEqual([
    [1, "cancelled"],
    [3, "paid"],
  ])
  expect(shop.kinds()).not.toContain("payment-failed")
})

it("refuses a skip that comes too late, or after the payment", async () => {
  await using shop = openShop()
  const { pix } = shop
  const id = await shop.approve()
  await shop.goTo("2027-03-21", "22:00")
  await expect(pix.recurrences.skip(cnpj, id, 1)).rejects.toMatchObject({ _tag: "CancelTooLate" })
  await shop.goTo("2027-03-23")
  await expect(pix.recurrences.skip(cnpj, id, 1)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" })
  expect(await pix.recurrences.find(cnpj, id)).not.toHaveProperty("skipped")
})

it("cancels the charge of a cycle if its recurrence ends before the debit", async () => {
  await using shop = openShop()
  const id = await shop.approve()
  await shop.goTo("2027-03-15")
  await shop.pix.recurrences.end(cnpj, id)
  await shop.goTo("2027-05-31")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["cancelled"])
  expect(shop.kinds()).not.toContain("paid")
})

it("makes only the debit of today if the payer ends the recurrence on its day", async () => {
  await using shop = openShop()
  const id = await shop.approve()
  await shop.goTo("2027-03-22", "02:00")
  await shop.pix.recurrences.play(cnpj, id, "cancel")
  await shop.goTo("2027-05-31")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
  expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ status: "ended", end: { by: "payer" } })
})

it("charges a cycle once if two instances share a store and a bank", async () => {
  await using pair = await openPair()
  const [one, other] = pair.shops
  const { id } = await one.pix.recurrences.offer(cnpj, anOffer())
  await one.pix.recurrences.play(cnpj, id, "approve")
  for (let hours = 0; hours < 24 * 60; hours += 12) {
    await Promise.all([one.pix.clock.advance("12 hours"), other.pix.clock.advance("12 hours")])
    await Promise.all([one.settle(), other.settle()])
  }
  expect((await other.charges(id)).map(({ cycle, status }) => [cycle?.cycle, status])).toEqual([
    [1, "paid"],
    [2, "paid"],
  ])
  const events = [...one.events, ...other.events].filter(({ kind }) => kind === "paid")
  expect(events).toHaveLength(2)
})
