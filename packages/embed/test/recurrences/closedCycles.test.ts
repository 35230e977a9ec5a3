import { ProcessorUnavailable } from "@pixcharge/core"
import type { RecurrenceRequestInput } from "../../src/index.ts"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { changeBank } from "./changeBank.ts"
import { openStore } from "./openPair.ts"
import { cnpj, inBrasilia, openShop } from "./recurringShop.ts"

/** A bank that doesn't answer look-ups of the first two cycles' charges while its line is down. */
const silentBank = () => {
  const line = { isDown: true }
  const noAnswer = new ProcessorUnavailable({ operation: "lookupCharge", cause: "no answer" })
  const processor = changeBank(sandboxBank().processor, (port) => ({
    ...port,
    lookupCharge: (charge) =>
      line.isDown && (charge.cycle?.cycle ?? 0) < 3 ? Effect.fail(noAnswer) : port.lookupCharge(charge),
  }))
  return { line, processor }
}

/** A host that skips the second cycle, and is then down until the window of the third. */
const openAfterOutage = async (over: Partial<RecurrenceRequestInput> = {}) => {
  const opened = await openStore()
  const { line, processor } = silentBank()
  const parts = { store: opened.store, processor }
  const before = openShop(parts)
  const id = await before.approve(over)
  await before.settle()
  await before.pix.recurrences.skip(cnpj, id, 2)
  await before.pix.dispose()
  const shop = openShop({ ...parts, frozenAt: inBrasilia("2027-05-12") })
  await shop.settle()
  return {
    shop,
    line,
    id,
    missed: () => shop.events.filter((event) => event.kind === "payment-failed" && event.reason === "missed"),
    cycles: async () => (await shop.charges(id)).map(({ cycle, status }) => [cycle?.cycle, status]),
    [Symbol.asyncDispose]: async () => {
      await shop.pix.dispose()
      await opened[Symbol.asyncDispose]()
    },
  }
}

describe("past cycles without an answer of the bank", () => {
  it("don't delay the charge of the open cycle, and are reported as missed later", async () => {
    await using opened = await openAfterOutage()
    const { shop, line, cycles, missed } = opened
    expect(await cycles()).toEqual([[3, "pending"]])
    expect(missed()).toEqual([])
    line.isDown = false
    await shop.goTo("2027-05-21")
    expect(await cycles()).toEqual([[3, "paid"]])
    expect(missed()).toMatchObject([{ cycle: 1 }])
    await shop.goTo("2027-06-22")
    expect((await cycles()).slice(1)).toEqual([[4, "paid"]])
  })

  it("don't delay the single event that asks the host for the open cycle's amount", async () => {
    await using opened = await openAfterOutage({ amountCents: undefined })
    const { shop, line, missed } = opened
    const dueCycles = () => shop.events.flatMap((event) => (event.kind === "cycle-due" ? event.cycle : []))
    await shop.goTo("2027-05-12", "12:02")
    expect(dueCycles()).toEqual([3])
    expect(missed()).toEqual([])
    line.isDown = false
    await shop.goTo("2027-05-13")
    expect(missed()).toMatchObject([{ cycle: 1 }])
    expect(dueCycles()).toEqual([3])
  })
})
