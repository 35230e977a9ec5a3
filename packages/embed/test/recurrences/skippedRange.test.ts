import { ProcessorUnavailable } from "@pixcharge/core"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { RecurrenceRequestInput } from "../../src/index.ts"
import { changeBank } from "./changeBank.ts"
import { openStore } from "./openPair.ts"
import { anOffer, cnpj, inBrasilia, openShop } from "./recurringShop.ts"

type Shop = ReturnType<typeof openShop>

const cycles = async (shop: Shop, id: string) =>
  (await shop.charges(id)).map(({ cycle, status }) => [cycle?.cycle, status])

const skip = (shop: Shop, id: string, from: number, to: number) =>
  shop.pix.recurrences.skip(cnpj, id, { cycles: [from, to] })

/** A weekly recurrence from Tuesday 23 March 2027. The charge of a cycle is made on the Monday eight days before it. */
const weekly = { period: "weekly", startDate: "2027-03-23" } as const

/** A bank that counts the look-ups and orders of charges. */
const countingBank = () => {
  const calls = { lookedUp: new Set<number>(), ordered: 0 }
  const processor = changeBank(sandboxBank().processor, (port) => ({
    ...port,
    lookupCharge: (charge) => {
      calls.lookedUp.add(charge.cycle.cycle)
      return port.lookupCharge(charge)
    },
    charge: (order) => {
      calls.ordered++
      return port.charge(order)
    },
  }))
  return { calls, processor }
}

describe("a pause of some cycles", () => {
  it("charges the cycles around it, and never catches up", async () => {
    const { calls, processor } = countingBank()
    await using shop = openShop({ processor })
    const id = await shop.approve()
    expect(await skip(shop, id, 2, 4)).toMatchObject({ skipped: [[2, 4]], nextDueDate: "2027-03-20" })
    await shop.goTo("2027-03-23")
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ nextCycle: 2, nextDueDate: "2027-07-20" })
    await shop.goTo("2027-07-01")
    expect(await shop.pix.recurrences.find(cnpj, id)).toMatchObject({ nextCycle: 5 })
    expect(calls).toEqual({ lookedUp: new Set([1]), ordered: 1 })
    await shop.goTo("2027-08-21")
    expect(await cycles(shop, id)).toEqual([
      [1, "paid"],
      [5, "paid"],
      [6, "paid"],
    ])
    expect(shop.kinds().filter((kind) => kind === "payment-failed" || kind === "cycle-due")).toEqual([])
  })

  it("passes each cycle when its window opens", async () => {
    await using shop = openShop()
    const id = await shop.approve({ startDate: "2027-03-22" })
    await skip(shop, id, 1, 3)
    const nextCycle = async () => (await shop.pix.recurrences.find(cnpj, id)).nextCycle
    // Ten days before Tuesday 23 March is Saturday 13.
    await shop.goTo("2027-03-14", "23:00")
    expect(await nextCycle()).toBe(1)
    await shop.goTo("2027-03-15", "10:00")
    expect(await nextCycle()).toBe(2)
  })

  it("asks for no amount, and misses no cycle, also during an outage", async () => {
    await using opened = await openStore()
    const { processor } = sandboxBank()
    const parts = { store: opened.store, processor }
    const before = openShop(parts)
    const { amountCents: _, ...offer } = anOffer()
    const { id } = await before.pix.recurrences.offer(cnpj, offer)
    await before.pix.recurrences.play(cnpj, id, "approve")
    await skip(before, id, 1, 12)
    await before.goTo("2027-04-01")
    await before.pix.dispose()
    await using shop = openShop({ ...parts, frozenAt: inBrasilia("2028-02-10") })
    await shop.settle()
    await shop.goTo("2028-03-05")
    expect(shop.kinds()).toEqual([])
    await shop.goTo("2028-03-13")
    expect(shop.events).toMatchObject([{ kind: "cycle-due", cycle: 13, dueDate: "2028-03-20" }])
    await expect(shop.pix.recurrences.charge(cnpj, id, { cycle: 12, amountCents: 100 })).rejects.toMatchObject({
      _tag: "CycleNotOpen",
    })
  })

  it("charges no skipped cycle in its window after an outage that missed the cycle before it", async () => {
    await using opened = await openStore()
    const parts = { store: opened.store, processor: sandboxBank().processor }
    const before = openShop(parts)
    const id = await before.approve()
    await skip(before, id, 2, 3)
    await before.pix.dispose()
    await using shop = openShop({ ...parts, frozenAt: inBrasilia("2027-04-14") })
    await shop.settle()
    expect(shop.events.at(-1)).toMatchObject({ kind: "payment-failed", reason: "missed", cycle: 1 })
    await shop.goTo("2027-06-22")
    expect(await cycles(shop, id)).toEqual([[4, "paid"]])
    expect(shop.kinds().filter((kind) => kind === "payment-failed")).toHaveLength(1)
  })

  it("is kept as a range of any length, and joined with the ranges that it touches", async () => {
    await using shop = openShop()
    const id = await shop.approve(weekly)
    expect(await skip(shop, id, 10, 5_000)).toMatchObject({ skipped: [[10, 5_000]] })
    expect(await shop.pix.recurrences.skip(cnpj, id, 4)).toMatchObject({
      skipped: [
        [4, 4],
        [10, 5_000],
      ],
    })
    for (const [from, to, skipped] of [
      [
        2,
        2,
        [
          [2, 2],
          [4, 4],
          [10, 5_000],
        ],
      ],
      [
        3,
        3,
        [
          [2, 4],
          [10, 5_000],
        ],
      ],
      [
        3,
        6,
        [
          [2, 6],
          [10, 5_000],
        ],
      ],
      [
        3,
        6,
        [
          [2, 6],
          [10, 5_000],
        ],
      ],
      [6, 10, [[2, 5_000]]],
    ] as const) {
      expect((await skip(shop, id, from, to)).skipped).toEqual(skipped)
    }
    await shop.goTo("2027-09-01")
    expect(await cycles(shop, id)).toEqual([[1, "paid"]])
    expect(await shop.pix.recurrences.find(cnpj, id)).not.toHaveProperty("nextDueDate")
    const repeated = (await shop.pix.recurrences.find(cnpj, id)).version
    await skip(shop, id, 3, 40)
    expect((await shop.pix.recurrences.find(cnpj, id)).version).toBe(repeated)
  })
})

describe("a pause whose charges stand at the bank", () => {
  it("cancels each of them", async () => {
    await using shop = openShop()
    const id = await shop.approve(weekly)
    await shop.goTo("2027-03-23", "12:00")
    expect(await cycles(shop, id)).toEqual([
      [1, "paid"],
      [2, "pending"],
    ])
    await shop.goTo("2027-03-28", "12:00")
    await skip(shop, id, 1, 9)
    expect(await cycles(shop, id)).toEqual([
      [1, "paid"],
      [2, "cancelled"],
    ])
    await shop.goTo("2027-05-16")
    expect(await cycles(shop, id)).toEqual([
      [1, "paid"],
      [2, "cancelled"],
    ])
  })

  it("names the charge that is debited too soon, and skips no cycle", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-03-21", "22:30")
    const [charge] = await shop.charges(id)
    await expect(skip(shop, id, 1, 3)).rejects.toMatchObject({
      _tag: "CancelTooLate",
      chargeId: charge?.id,
      cycle: 1,
      remedy: expect.stringContaining("begin the range"),
    })
    expect(await shop.pix.recurrences.find(cnpj, id)).not.toHaveProperty("skipped")
    expect(await skip(shop, id, 2, 3)).toMatchObject({ skipped: [[2, 3]] })
    await shop.goTo("2027-06-24")
    expect(await cycles(shop, id)).toEqual([
      [1, "paid"],
      [4, "paid"],
    ])
  })

  it("cancels a failed debit that would be tried again", async () => {
    await using shop = openShop()
    const id = await shop.approve({ retries: "threeInSeven", retryOn: [6] })
    await shop.pix.recurrences.playDebit(cnpj, id, "noBalance")
    await shop.goTo("2027-03-23", "12:00")
    await skip(shop, id, 1, 2)
    await shop.goTo("2027-04-30")
    expect(await cycles(shop, id)).toEqual([[1, "cancelled"]])
  })

  it("begins in the past, and fails only if its last cycle is paid", async () => {
    await using shop = openShop()
    const id = await shop.approve()
    await shop.goTo("2027-05-01")
    for (const [from, to] of [
      [1, 1],
      [1, 2],
    ] as const) {
      await expect(skip(shop, id, from, to)).rejects.toMatchObject({ _tag: "ChargeAlreadyPaid" })
    }
    expect(await skip(shop, id, 1, 3)).toMatchObject({ nextDueDate: "2027-06-20" })
    await shop.goTo("2027-06-24")
    expect((await cycles(shop, id)).map(([cycle, status]) => `${cycle} ${status}`)).toEqual([
      "1 paid",
      "2 paid",
      "4 paid",
    ])
  })

  it("is cancelled after a lost answer, by the call that is repeated", async () => {
    const line = { isDown: false }
    const processor = changeBank(sandboxBank().processor, (port) => ({
      ...port,
      cancelCharge: (charge) =>
        line.isDown
          ? Effect.andThen(
              port.cancelCharge(charge),
              Effect.fail(new ProcessorUnavailable({ operation: "cancelCharge", cause: "no answer" })),
            )
          : port.cancelCharge(charge),
    }))
    await using shop = openShop({ processor })
    const id = await shop.approve()
    await shop.goTo("2027-03-18")
    line.isDown = true
    await expect(skip(shop, id, 1, 2)).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
    line.isDown = false
    expect(await skip(shop, id, 1, 2)).toMatchObject({ skipped: [[1, 2]] })
    const again = shop.pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 4_990 })
    await expect(again).rejects.toMatchObject({ _tag: "CycleNotOpen" })
    await shop.goTo("2027-05-23")
    expect(await cycles(shop, id)).toEqual([
      [1, "cancelled"],
      [3, "paid"],
    ])
  })
})

describe("a pause that can't be", () => {
  const text = "cycles must be [from, to], two whole numbers from 1, the second not less than the first"
  it.each([
    [{ cycles: [3, 2] }, text],
    [{ cycles: [0, 2] }, text],
    [{ cycles: [1, 2, 3] }, text],
    [{ cycles: [1.5, 2] }, text],
    [{ cycles: 3 }, text],
    [{}, text],
    [{ cycles: [1, 2], from: 1 }, "from"],
    ["1", "the third argument is a cycle's number or { cycles: [from, to] }"],
    [1.5, "cycle must be a whole number from 1"],
  ])("is refused with what to give: %j", async (given, message) => {
    await using shop = openShop()
    const id = await shop.approve()
    await expect(shop.pix.recurrences.skip(cnpj, id, given as never)).rejects.toMatchObject({
      _tag: "InvalidOption",
      message: expect.stringContaining(message),
    })
  })

  it("names the cycle that the recurrence doesn't have", async () => {
    await using shop = openShop()
    const over: Partial<RecurrenceRequestInput> = { endDate: "2027-06-30" }
    const id = await shop.approve(over)
    await expect(skip(shop, id, 2, 5)).rejects.toMatchObject({ _tag: "CycleNotOpen", cycle: 5 })
    await expect(skip(shop, id, 6, 7)).rejects.toMatchObject({ _tag: "CycleNotOpen", cycle: 6 })
    await skip(shop, id, 2, 4)
    await shop.goTo("2027-09-01")
    expect(await cycles(shop, id)).toEqual([[1, "paid"]])
  })
})
