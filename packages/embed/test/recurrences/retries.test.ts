import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { changeBank } from "./changeBank.ts"
import { cnpj, inBrasilia, openShop } from "./recurringShop.ts"

type Shop = ReturnType<typeof openShop>

/** A bank that refuses new attempts, or doesn't answer them, while the flags of `line` are set. */
const refusingRetries = (line: { readonly isRefused: boolean; readonly isUnanswered?: boolean }) =>
  changeBank(sandboxBank().processor, (port) => ({
    ...port,
    retry: (charge, on) => {
      if (line.isUnanswered === true)
        return Effect.fail(new ProcessorUnavailable({ operation: "retry", cause: "none" }))
      return line.isRefused
        ? Effect.fail(new ProcessorRejected({ operation: "retry", reason: Redacted.make("not now") }))
        : port.retry(charge, on)
    },
  }))

const failures = (shop: Shop) => shop.events.flatMap((event) => (event.kind === "payment-failed" ? [event] : []))

/**
 * Approves a recurrence whose attempts of the next days have these outcomes, and goes to 21:30 of its first debit, Monday 22
 * March 2027.
 */
const failDebit = async (shop: Shop, ...outcomes: ReadonlyArray<"noBalance" | "accountClosed" | "paidInEvening">) => {
  const id = await shop.approve({ retries: "threeInSeven" })
  for (const outcome of outcomes) await shop.pix.recurrences.playDebit(cnpj, id, outcome)
  await shop.goTo("2027-03-22", "21:30")
  const [charge] = await shop.charges(id)
  return { id, chargeId: charge?.id ?? "" }
}

describe("a debit without money on the payer's account", () => {
  it("isn't reported as failed before the evening's attempt", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.pix.recurrences.playDebit(cnpj, id, "paidInEvening")
    await shop.goTo("2027-03-22", "12:00")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["pending"])
    await shop.goTo("2027-03-22", "21:30")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
    expect(failures(shop)).toEqual([])
  })

  it("fails after the evening's attempt, for good if its authorisation permits no retry", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.pix.recurrences.playDebit(cnpj, id, "noBalance")
    await shop.goTo("2027-03-23")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["failed"])
    expect(failures(shop)).toMatchObject([{ reason: "unpaid", on: "2027-03-22" }])
    expect(failures(shop)[0]).not.toHaveProperty("mayRetryUntil")
    const [charge] = await shop.charges(id)
    const { items } = await shop.pix.charges(cnpj, { from: 0, until: shop.pix.clock.now(), status: "failed" })
    expect(items.map((one) => one.id)).toEqual([charge?.id])
    await expect(shop.pix.recurrences.retry(cnpj, charge?.id ?? "")).rejects.toMatchObject({
      _tag: "RetryNotPossible",
      obstacle: "notPermitted",
    })
    await shop.goTo("2027-04-21")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["failed", "paid"])
  })

  it("can be retried after the bank refused a new attempt, which doesn't count as a retry", async () => {
    const line = { isRefused: true }
    await using shop = openShop({ processor: refusingRetries(line) })
    const { id, chargeId } = await failDebit(shop, "noBalance")
    for (let refused = 1; refused <= 4; refused++) {
      await expect(shop.pix.recurrences.retry(cnpj, chargeId)).rejects.toMatchObject({ _tag: "ProcessorRejected" })
    }
    expect((await shop.charges(id))[0]).toMatchObject({ debit: { retries: [] } })
    line.isRefused = false
    const charge = await shop.pix.recurrences.retry(cnpj, chargeId)
    expect(charge).toMatchObject({ status: "pending", debit: { retries: ["2027-03-23"] } })
  })

  it("is requested again after an unanswered request, and has no attempt under way if the bank then refuses", async () => {
    const line = { isRefused: false, isUnanswered: true }
    await using shop = openShop({ processor: refusingRetries(line) })
    const { id, chargeId } = await failDebit(shop, "noBalance")
    await expect(shop.pix.recurrences.retry(cnpj, chargeId)).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
    Object.assign(line, { isRefused: true, isUnanswered: false })
    await shop.goTo("2027-03-22", "21:40")
    expect((await shop.charges(id))[0]).toMatchObject({ debit: { retries: [] } })
    line.isRefused = false
    expect(await shop.pix.recurrences.retry(cnpj, chargeId)).toMatchObject({ debit: { retries: ["2027-03-23"] } })
  })

  it("can't be retried if its charge is paid, cancelled or payable by code", async () => {
    await using shop = openShop()
    const id = await shop.approve({ retries: "threeInSeven" })
    await shop.goTo("2027-03-23")
    const [paid] = await shop.charges(id)
    const retry = (chargeId = "") => shop.pix.recurrences.retry(cnpj, chargeId)
    await expect(retry(paid?.id)).rejects.toMatchObject({
      obstacle: "paid",
      remedy: expect.not.stringContaining("mayRetryUntil"),
    })
    await shop.goTo("2027-04-15")
    const next = (await shop.charges(id))[1]
    await shop.pix.cancel(cnpj, next?.id ?? "")
    await expect(retry(next?.id)).rejects.toMatchObject({ obstacle: "cancelled" })
    const coded = await shop.pix.issue(cnpj, { id: randomUUID(), amountCents: 100 })
    await expect(retry(coded.id)).rejects.toMatchObject({ obstacle: "notDebited" })
  })

  it("is retried on the next day, and paid", async () => {
    await using shop = openShop()
    const { chargeId } = await failDebit(shop, "noBalance")
    // The due date is Saturday the 20th. Retries are allowed for seven days, and requested by 22:00 of the day before.
    expect(failures(shop)).toMatchObject([
      { reason: "unpaid", on: "2027-03-22", mayRetryUntil: inBrasilia("2027-03-26", "22:00") },
    ])
    const charge = await shop.pix.recurrences.retry(cnpj, chargeId)
    expect(charge).toMatchObject({ status: "pending", debit: { retries: ["2027-03-23"] } })
    await expect(shop.pix.recurrences.retry(cnpj, chargeId)).rejects.toMatchObject({ obstacle: "underWay" })
    await shop.pix.clock.advance("10 minutes")
    await shop.goTo("2027-03-23", "09:00")
    expect(await shop.pix.find(cnpj, chargeId)).toMatchObject({ status: "paid" })
    expect(shop.kinds().slice(-3)).toEqual(["payment-failed", "payment-scheduled", "paid"])
  })

  it("is retried three times, but not a fourth time", async () => {
    await using shop = openShop()
    const { id, chargeId } = await failDebit(shop, "noBalance", "noBalance", "noBalance", "noBalance")
    for (const day of ["2027-03-23", "2027-03-24", "2027-03-25"]) {
      await shop.pix.recurrences.retry(cnpj, chargeId)
      await shop.goTo(day, "21:30")
    }
    await expect(shop.pix.recurrences.retry(cnpj, chargeId)).rejects.toMatchObject({ _tag: "RetryNotPossible" })
    await shop.goTo("2027-03-31")
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["failed"])
    expect(failures(shop).map(({ on, mayRetryUntil }) => [on, mayRetryUntil !== undefined])).toEqual([
      ["2027-03-22", true],
      ["2027-03-23", true],
      ["2027-03-24", true],
      ["2027-03-25", false],
    ])
  })

  it("is retried on a day of the host's choice within seven days", async () => {
    await using shop = openShop()
    const { chargeId } = await failDebit(shop, "noBalance")
    const retry = (day: string) => shop.pix.recurrences.retry(cnpj, chargeId, day)
    for (const wrong of ["2027-03-22", "2027-03-28"]) {
      await expect(retry(wrong)).rejects.toMatchObject({ _tag: "RetryNotPossible", obstacle: "wrongDay" })
    }
    await retry("2027-03-27")
    await shop.goTo("2027-03-27", "09:00")
    expect(await shop.pix.find(cnpj, chargeId)).toMatchObject({ status: "paid" })
  })

  it("fails for good, without another event, if no retry is requested in time", async () => {
    await using shop = openShop()
    const { chargeId } = await failDebit(shop, "noBalance")
    await shop.goTo("2027-04-01")
    expect(await shop.pix.find(cnpj, chargeId)).toMatchObject({ status: "failed" })
    expect(failures(shop).map(({ mayRetryUntil }) => mayRetryUntil !== undefined)).toEqual([true])
  })
})

it("fails for good on a closed account, and doesn't charge the cycle after its window", async () => {
  await using shop = openShop()
  const { id, chargeId } = await failDebit(shop, "accountClosed")
  expect(failures(shop)).toMatchObject([{ reason: "rejected", code: "AC05" }])
  await expect(shop.pix.recurrences.retry(cnpj, chargeId)).rejects.toMatchObject({ _tag: "RetryNotPossible" })
  await expect(shop.pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 4_990 })).rejects.toMatchObject({
    _tag: "CycleNotOpen",
  })
})

it("requests one retry for two concurrent calls", async () => {
  await using shop = openShop()
  const { chargeId } = await failDebit(shop, "noBalance", "noBalance")
  const results = await Promise.allSettled([
    shop.pix.recurrences.retry(cnpj, chargeId, "2027-03-23"),
    shop.pix.recurrences.retry(cnpj, chargeId, "2027-03-24"),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"])
  await shop.goTo("2027-03-25")
  expect((await shop.pix.find(cnpj, chargeId)).debit?.attempts).toHaveLength(2)
})

it("doesn't retry a debit of an ended recurrence, even if the bank would", async () => {
  await using shop = openShop()
  const { id, chargeId } = await failDebit(shop, "noBalance")
  await shop.pix.recurrences.end(cnpj, id)
  await expect(shop.pix.recurrences.retry(cnpj, chargeId)).rejects.toMatchObject({ _tag: "RecurrenceNotApproved" })
})
