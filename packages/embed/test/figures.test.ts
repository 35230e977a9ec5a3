import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { shop, started } from "./startedShop.ts"

const day = 86_400_000

describe("reports for people", () => {
  it("return the figures of a period, and compare the books with the bank's list", async () => {
    await using pix = await started()
    const issue = async () => (await pix.issue(shop, { id: randomUUID(), amountCents: 1_990 })).id
    const [paid, refunded, cancelled] = [await issue(), await issue(), await issue(), await issue()]
    await pix.clock.advance("1 minute")
    await pix.simulatePayment(shop, paid)
    await pix.simulatePayment(shop, refunded)
    await pix.cancel(shop, cancelled)
    while ((await pix.tick({ deadlineMs: 5_000 })).more);
    await pix.refund(shop, refunded)
    await pix.clock.advance("1 hour")
    const until = pix.clock.now() + 1
    const period = { from: until - 30 * day, until }
    const figures = await pix.figures(shop, period)
    expect(figures).toMatchObject({
      period,
      charges: { issued: 4, paid: 2, expired: 1, failed: 0, cancelled: 1 },
      payments: { count: 2, cents: 3_980 },
      returns: { count: 1, cents: 1_990 },
      openExceptions: 0,
      timeToPayment: { medianSeconds: 120, p90Seconds: 120 },
      deliveries: { delivered: 2, dead: 0, waiting: 1 },
    })
    const sum = (values: ReadonlyArray<number>) => values.reduce((all, one) => all + one, 0)
    expect(sum(figures.days.map(({ paidCents }) => paidCents))).toBe(3_980)
    expect(sum(figures.hours.map(({ issued }) => issued))).toBe(4)
    const comparison = await pix.comparison(shop, { from: until - day / 2, until })
    expect(comparison).toMatchObject({ differences: 0, matches: 2 })
    expect(comparison.rows.map(({ books }) => books?.returnedCents).toSorted()).toEqual([0, 1_990])
  })

  it.each(["figures", "comparison"] as const)("refuse an invalid or too long period: %s", async (call) => {
    await using pix = await started()
    for (const odd of [null, {}, { from: 0 }, { from: "0", until: 1 }]) {
      await expect(pix[call](shop, odd as never)).rejects.toMatchObject({ _tag: "InvalidFilter" })
    }
    await expect(pix[call](shop, { from: 0, until: 32 * day })).rejects.toMatchObject({ _tag: "PeriodTooLarge" })
  })
})
