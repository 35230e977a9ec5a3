import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import type { RecurrenceRequestInput } from "../../src/index.ts"
import { changeBank } from "./changeBank.ts"
import { openStore } from "./openPair.ts"
import { anOffer, cnpj, inBrasilia, openShop } from "./recurringShop.ts"

type Shop = ReturnType<typeof openShop>

const planned = { retries: "threeInSeven", retryOn: [1, 3, 6] } as const

/** Answers to the first requests of new attempts; `done` is the answer to the later requests. */
type Answer = "done" | "refused" | "lost" | "unreached"

/** A bank that answers requests of new attempts as given, and lists their days. */
const openBank = (...answers: Array<Answer>) => {
  const requestedDays: Array<string> = []
  const processor = changeBank(sandboxBank().processor, (port) => ({
    ...port,
    retry: (charge, on) =>
      Effect.suspend(() => {
        requestedDays.push(on)
        const lost = Effect.fail(new ProcessorUnavailable({ operation: "retry", cause: "no answer" }))
        switch (answers.shift() ?? "done") {
          case "refused":
            return Effect.fail(new ProcessorRejected({ operation: "retry", reason: Redacted.make("not now") }))
          case "unreached":
            return lost
          case "lost":
            return Effect.andThen(port.retry(charge, on), lost)
          case "done":
            return port.retry(charge, on)
        }
      }),
  }))
  return { processor, requestedDays }
}

/** The published failures: day, reason, and the day of the next attempt. */
const failures = ({ events }: Shop) =>
  events.flatMap((event) =>
    event.kind === "payment-failed" ? [[event.on, event.reason, event.nextAttemptOn ?? "none"]] : [],
  )

const broke = async (shop: Shop, days: number, over: Partial<RecurrenceRequestInput> = planned) => {
  const id = await shop.approve(over)
  for (let day = 0; day < days; day++) await shop.pix.recurrences.playDebit(cnpj, id, "noBalance")
  return id
}

const attemptDays = async (shop: Shop, id: string) =>
  (await shop.charges(id)).map(({ debit }) => debit?.attempts.map(({ on }) => on))

// Cycles are due on Saturday 20 March, debited on Monday 22, and on Tuesday 20 April 2027.

describe("a debit that fails, with days for new attempts", () => {
  it("is requested again on the days after its due date, except a day before the first debit", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await broke(shop, 7)
    await shop.goTo("2027-05-01")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26", "2027-04-21", "2027-04-23", "2027-04-26"])
    expect(failures(shop)).toEqual([
      ["2027-03-22", "unpaid", "2027-03-23"],
      ["2027-03-23", "unpaid", "2027-03-26"],
      ["2027-03-26", "unpaid", "none"],
      ["2027-04-20", "unpaid", "2027-04-21"],
      ["2027-04-21", "unpaid", "2027-04-23"],
      ["2027-04-23", "unpaid", "2027-04-26"],
      ["2027-04-26", "unpaid", "none"],
    ])
    expect(await attemptDays(shop, id)).toEqual([
      ["2027-03-22", "2027-03-23", "2027-03-26"],
      ["2027-04-20", "2027-04-21", "2027-04-23", "2027-04-26"],
    ])
    expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["failed", "failed"])
  })

  it("isn't requested again once it is paid", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await broke(shop, 2)
    await shop.goTo("2027-04-18")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect((await shop.charges(id)).map(({ status }) => status)).toContain("paid")
    expect(failures(shop)).toHaveLength(2)
  })

  it("is requested only on the day before: the host can still choose another day", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await broke(shop, 1, { ...planned, retryOn: [6] })
    await shop.goTo("2027-03-24", "23:00")
    expect(requestedDays).toEqual([])
    const [charge] = await shop.charges(id)
    expect(charge?.debit).toMatchObject({ nextAttemptOn: "2027-03-26" })
    await shop.goTo("2027-03-25", "09:00")
    expect(requestedDays).toEqual(["2027-03-26"])
    expect((await shop.charges(id))[0]?.debit).not.toHaveProperty("nextAttemptOn")
  })

  it("isn't requested again without retryOn", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    await broke(shop, 2, { retries: "threeInSeven" })
    await shop.goTo("2027-05-01")
    expect(requestedDays).toEqual([])
    expect(failures(shop)).toEqual([
      ["2027-03-22", "unpaid", "none"],
      ["2027-04-20", "unpaid", "none"],
    ])
  })

  it("isn't requested again after a code that a new attempt can't change", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await shop.approve(planned)
    await shop.pix.recurrences.playDebit(cnpj, id, "accountClosed")
    await shop.goTo("2027-04-01")
    expect([requestedDays, failures(shop)]).toEqual([[], [["2027-03-22", "rejected", "none"]]])
  })

  it("follows its own plan each week, on days up to the fifth", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    await broke(shop, 4, { ...planned, period: "weekly", startDate: "2027-03-23", retryOn: [5, 2] })
    await shop.goTo("2027-04-05")
    expect(requestedDays).toEqual(["2027-03-25", "2027-03-28", "2027-04-01"])
    expect(failures(shop)).toEqual([
      ["2027-03-23", "unpaid", "2027-03-25"],
      ["2027-03-25", "unpaid", "2027-03-28"],
      ["2027-03-28", "unpaid", "none"],
      ["2027-03-30", "unpaid", "2027-04-01"],
    ])
  })
})

describe("a host's retry", () => {
  it("takes the place of the plan's on the same day", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await broke(shop, 2)
    await shop.goTo("2027-03-24", "09:00")
    const [charge] = await shop.charges(id)
    await shop.pix.recurrences.retry(cnpj, charge?.id ?? "", "2027-03-26")
    await shop.goTo("2027-03-27")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect(await shop.pix.find(cnpj, charge?.id ?? "")).toMatchObject({ status: "paid" })
  })

  it("at the moment of the plan's own request leaves one request", async () => {
    const { processor, requestedDays } = openBank()
    let retryMeanwhile = async () => {}
    const busy = changeBank(processor, (port) => ({
      ...port,
      lookupCharge: (charge) => Effect.tap(port.lookupCharge(charge), () => Effect.promise(() => retryMeanwhile())),
    }))
    await using shop = openShop({ processor: busy })
    const id = await broke(shop, 2)
    await shop.goTo("2027-03-24", "23:00")
    const [charge] = await shop.charges(id)
    retryMeanwhile = async () => {
      retryMeanwhile = async () => {}
      await shop.pix.recurrences.retry(cnpj, charge?.id ?? "", "2027-03-26")
    }
    await shop.goTo("2027-03-25", "12:00")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect((await shop.pix.find(cnpj, charge?.id ?? "")).debit).toMatchObject({ retries: ["2027-03-23", "2027-03-26"] })
  })

  it("on another day counts as one of three, and the plan goes on after it", async () => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await broke(shop, 4)
    await shop.goTo("2027-03-24", "09:00")
    const [charge] = await shop.charges(id)
    await shop.pix.recurrences.retry(cnpj, charge?.id ?? "", "2027-03-25")
    await shop.goTo("2027-04-01")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-25", "2027-03-26"])
    expect(failures(shop).at(-2)).toEqual(["2027-03-25", "unpaid", "2027-03-26"])
    expect(failures(shop).at(-1)).toEqual(["2027-03-26", "unpaid", "none"])
  })

  it("that the bank refuses on another day leaves the plan as it is", async () => {
    const { processor, requestedDays } = openBank("refused")
    await using shop = openShop({ processor })
    const id = await broke(shop, 1, { ...planned, retryOn: [6] })
    await shop.goTo("2027-03-22", "21:30")
    const [charge] = await shop.charges(id)
    const refused = shop.pix.recurrences.retry(cnpj, charge?.id ?? "", "2027-03-23")
    await expect(refused).rejects.toMatchObject({ _tag: "ProcessorRejected" })
    await shop.goTo("2027-03-27")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect(failures(shop)).toHaveLength(1)
  })

  it("on a day that the bank refused to the plan is published if it fails too", async () => {
    const { processor } = openBank("refused")
    const unscheduled = changeBank(processor, (port) => ({
      ...port,
      lookupCharge: (charge) =>
        Effect.map(port.lookupCharge(charge), (view) => {
          const shown = view.debit.attempts.map((one) =>
            one.status === "scheduled" ? { ...one, status: "requested" as const } : one,
          )
          return { ...view, debit: { ...view.debit, attempts: shown } }
        }),
    }))
    await using shop = openShop({ processor: unscheduled })
    const id = await broke(shop, 2)
    await shop.goTo("2027-03-22", "21:30")
    const [charge] = await shop.charges(id)
    await shop.pix.recurrences.retry(cnpj, charge?.id ?? "", "2027-03-23")
    await shop.goTo("2027-03-24")
    expect(failures(shop)).toEqual([
      ["2027-03-22", "unpaid", "2027-03-23"],
      ["2027-03-23", "rejected", "2027-03-26"],
      ["2027-03-23", "unpaid", "2027-03-26"],
    ])
  })
})

describe("the plan's request", () => {
  it("that the bank refuses is published, and the next day is still tried", async () => {
    const { processor, requestedDays } = openBank("refused")
    await using shop = openShop({ processor })
    const id = await broke(shop, 1)
    await shop.goTo("2027-03-28")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect(failures(shop)).toEqual([
      ["2027-03-22", "unpaid", "2027-03-23"],
      ["2027-03-23", "rejected", "2027-03-26"],
    ])
    expect((await shop.charges(id))[0]).toMatchObject({ status: "paid", debit: { retries: ["2027-03-26"] } })
  })

  it("that the bank refuses on the last day is the plan's last word", async () => {
    const { processor, requestedDays } = openBank("done", "refused")
    await using shop = openShop({ processor })
    await broke(shop, 2)
    await shop.goTo("2027-04-15")
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect(failures(shop).slice(1)).toEqual([
      ["2027-03-23", "unpaid", "2027-03-26"],
      ["2027-03-26", "rejected", "none"],
    ])
  })

  it.each([
    ["lost", 1],
    ["unreached", 2],
  ] as const)("that is %s is looked up, and made %i times until the bank has it", async (answer, times) => {
    const { processor, requestedDays } = openBank(answer)
    await using shop = openShop({ processor })
    const id = await broke(shop, 1)
    for (const time of ["21:10", "21:30", "21:50"]) await shop.goTo("2027-03-22", time)
    expect(requestedDays).toEqual(Array.from({ length: times }, () => "2027-03-23"))
    await shop.goTo("2027-03-24")
    expect(requestedDays).toHaveLength(times)
    expect((await shop.charges(id))[0]).toMatchObject({ status: "paid", debit: { retries: ["2027-03-23"] } })
  })

  it("that never reaches the bank is published when its day is over, and the next day is tried", async () => {
    const { processor } = openBank(...Array.from({ length: 60 }, () => "unreached" as const))
    await using shop = openShop({ processor })
    const id = await broke(shop, 1, { ...planned, retryOn: [3] })
    await shop.goTo("2027-03-28")
    expect(failures(shop)).toEqual([
      ["2027-03-22", "unpaid", "2027-03-23"],
      ["2027-03-23", "unpaid", "none"],
    ])
    expect((await shop.charges(id))[0]?.debit?.attempts).toHaveLength(1)
  })

  it("is made once by two instances on one store and one bank", async () => {
    await using opened = await openStore()
    const { processor, requestedDays } = openBank()
    const parts = { store: opened.store, processor }
    await using one = openShop(parts)
    await using other = openShop(parts)
    const id = await broke(one, 2)
    for (const time of ["2027-03-22T21:20", "2027-03-23T21:20", "2027-03-25T08:20", "2027-03-27T12:00"]) {
      const [day = "", hour] = time.split("T")
      await one.pix.clock.advance(inBrasilia(day, hour) - one.pix.clock.now())
      await other.pix.clock.advance(inBrasilia(day, hour) - other.pix.clock.now())
      await Promise.all([one.settle(), other.settle(), one.settle(), other.settle()])
    }
    expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
    expect((await one.charges(id))[0]).toMatchObject({ status: "paid" })
  })
})

describe("the plan ends", () => {
  it.each(["skip", "cancel", "end"] as const)("with %s", async (how) => {
    const { processor, requestedDays } = openBank()
    await using shop = openShop({ processor })
    const id = await broke(shop, 2)
    await shop.goTo("2027-03-24", "12:00")
    const [charge] = await shop.charges(id)
    const { recurrences } = shop.pix
    if (how === "skip") await recurrences.skip(cnpj, id, 1)
    else if (how === "cancel") await shop.pix.cancel(cnpj, charge?.id ?? "")
    else await recurrences.end(cnpj, id)
    await shop.goTo("2027-04-05")
    expect(requestedDays).toEqual(["2027-03-23"])
    expect(await shop.pix.find(cnpj, charge?.id ?? "")).toMatchObject({ status: "cancelled" })
  })
})

describe("a skipped cycle whose charge the bank keeps", () => {
  const openKeeping = (...answers: Array<Answer>) => {
    const { processor, requestedDays } = openBank(...answers)
    const kept = new ProcessorRejected({ operation: "cancelCharge", reason: Redacted.make("not now") })
    const keeping = changeBank(processor, (port) => ({ ...port, cancelCharge: () => Effect.fail(kept) }))
    return { shop: openShop({ processor: keeping }), requestedDays }
  }

  it("isn't tried again, and the host learns it at once", async () => {
    const { shop, requestedDays } = openKeeping()
    const id = await broke(shop, 2)
    await shop.goTo("2027-03-24", "12:00")
    for (let call = 0; call < 2; call++) {
      expect(await shop.pix.recurrences.skip(cnpj, id, 1)).toMatchObject({ skipped: [[1, 1]] })
    }
    await shop.goTo("2027-03-24", "12:10")
    expect(failures(shop).slice(1)).toEqual([
      ["2027-03-23", "unpaid", "2027-03-26"],
      ["2027-03-26", "unpaid", "none"],
    ])
    await shop.goTo("2027-04-05")
    expect([requestedDays, failures(shop).length]).toEqual([["2027-03-23"], 3])
    await shop.pix.dispose()
  })

  it("is a refusal before its first debit", async () => {
    const { shop } = openKeeping()
    const id = await broke(shop, 1)
    await shop.goTo("2027-03-20", "12:00")
    await expect(shop.pix.recurrences.skip(cnpj, id, 1)).rejects.toMatchObject({ _tag: "ProcessorRejected" })
    await shop.pix.dispose()
  })

  it("has no unanswered request repeated", async () => {
    const { shop, requestedDays } = openKeeping("unreached")
    const id = await broke(shop, 1)
    await shop.goTo("2027-03-22", "21:10")
    await expect(shop.pix.recurrences.skip(cnpj, id, 1)).rejects.toMatchObject({ _tag: "ProcessorRejected" })
    await shop.goTo("2027-03-22", "21:45")
    expect(requestedDays).toEqual(["2027-03-23"])
    await shop.pix.dispose()
  })
})

it("ends if the bank ends the charge before the announced attempt", async () => {
  const { processor } = openBank()
  const endsAt = inBrasilia("2027-03-24", "00:00")
  const ending = changeBank(processor, (port) => ({
    ...port,
    lookupCharge: (charge) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(port.lookupCharge(charge), (view) =>
          now < endsAt ? view : { ...view, debit: { ...view.debit, status: "expired" as const } },
        ),
      ),
  }))
  await using shop = openShop({ processor: ending })
  await broke(shop, 2)
  await shop.goTo("2027-04-05")
  expect(failures(shop).slice(1)).toEqual([
    ["2027-03-23", "unpaid", "2027-03-26"],
    ["2027-03-26", "unpaid", "none"],
  ])
})

it("is requested for the next day by a bank that shows the day's result only at 21:30", async () => {
  const { processor, requestedDays } = openBank()
  const lateUntil = inBrasilia("2027-03-22", "21:30")
  const late = changeBank(processor, (port) => ({
    ...port,
    lookupCharge: (charge) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(port.lookupCharge(charge), (view) => {
          const attempts = view.debit.attempts.map((attempt) => ({ ...attempt, status: "scheduled" as const }))
          return now < lateUntil ? { ...view, debit: { ...view.debit, attempts } } : view
        }),
      ),
  }))
  await using shop = openShop({ processor: late })
  await broke(shop, 1)
  for (const time of ["20:00", "21:10", "21:45"]) await shop.goTo("2027-03-22", time)
  expect(requestedDays).toEqual(["2027-03-23"])
  expect(failures(shop)).toEqual([["2027-03-22", "unpaid", "2027-03-23"]])
})

describe("after an outage of the host", () => {
  const openAfter = async (day: string, time: string, debits: number) => {
    const opened = await openStore()
    const { processor, requestedDays } = openBank()
    const before = openShop({ processor, store: opened.store })
    const id = await broke(before, debits)
    await before.goTo("2027-03-22", "12:00")
    await before.pix.dispose()
    const shop = openShop({ processor, store: opened.store, frozenAt: inBrasilia(day, time) })
    await shop.settle()
    return { shop, id, requestedDays, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] }
  }

  it("a lost day is passed over, and the next one is requested", async () => {
    await using opened = await openAfter("2027-03-24", "12:00", 1)
    const { shop, requestedDays, id } = opened
    expect(failures(shop)).toEqual([["2027-03-22", "unpaid", "2027-03-26"]])
    await shop.goTo("2027-03-27")
    expect(requestedDays).toEqual(["2027-03-26"])
    expect((await shop.charges(id))[0]).toMatchObject({ status: "paid" })
    await shop.pix.dispose()
  })

  it("an announced day that is lost is published as the last word if no day is left", async () => {
    await using opened = await openStore()
    const { processor, requestedDays } = openBank()
    const parts = { store: opened.store, processor }
    const before = openShop(parts)
    await broke(before, 2)
    await before.goTo("2027-03-24", "12:00")
    await before.pix.dispose()
    await using shop = openShop({ ...parts, frozenAt: inBrasilia("2027-03-25", "22:30") })
    await shop.settle()
    expect(requestedDays).toEqual(["2027-03-23"])
    expect(failures(shop)).toEqual([["2027-03-26", "unpaid", "none"]])
    await shop.goTo("2027-04-05")
    expect(failures(shop)).toHaveLength(1)
  })
})

it("makes no second request after a restored backup, because the bank shows the first one", async () => {
  const { processor, requestedDays } = openBank()
  await using opened = await openStore()
  const offer = anOffer(planned)
  const backup = openShop({ processor, store: opened.store })
  await backup.pix.recurrences.offer(cnpj, offer)
  await backup.pix.dispose()
  const before = openShop({ processor })
  await broke(before, 2, offer)
  await before.goTo("2027-03-22", "21:30")
  expect(requestedDays).toEqual(["2027-03-23"])
  await before.pix.dispose()
  await using shop = openShop({ processor, store: opened.store, frozenAt: inBrasilia("2027-03-22", "21:40") })
  await shop.settle()
  expect(requestedDays).toEqual(["2027-03-23"])
  await shop.goTo("2027-03-28")
  expect(requestedDays).toEqual(["2027-03-23", "2027-03-26"])
  expect((await shop.charges(offer.id))[0]).toMatchObject({ status: "paid" })
})

describe("an offer", () => {
  it.each([
    [{ retryOn: [1] }],
    [{ retries: "none", retryOn: [1] }],
    [{ ...planned, retryOn: [] }],
    [{ ...planned, retryOn: [1, 1] }],
    [{ ...planned, retryOn: [1, 2, 3, 4] }],
    [{ ...planned, retryOn: [0] }],
    [{ ...planned, retryOn: [8] }],
    [{ ...planned, retryOn: [1.5] }],
    [{ ...planned, retryOn: ["1"] as unknown as Array<number> }],
    [{ ...planned, period: "weekly", retryOn: [6] }],
  ] as ReadonlyArray<[Partial<RecurrenceRequestInput>]>)("with other days is refused: %j", async (over) => {
    await using shop = openShop()
    await expect(shop.pix.recurrences.offer(cnpj, anOffer(over))).rejects.toMatchObject({
      _tag: "InvalidRecurrenceRequest",
      field: "retryOn",
      message: expect.stringContaining("from 1 to 7, or to 5 if weekly"),
    })
  })

  it("is the same in any order of its days, and another with other days", async () => {
    await using shop = openShop()
    const offer = anOffer({ ...planned, retryOn: [6, 1] })
    const first = await shop.pix.recurrences.offer(cnpj, offer)
    expect(first.retryOn).toEqual([1, 6])
    const again = await shop.pix.recurrences.offer(cnpj, { ...offer, retryOn: [1, 6] })
    expect(again.id).toBe(first.id)
    const { retryOn: _, ...without } = offer
    for (const other of [without, { ...offer, retryOn: [1, 7] }]) {
      await expect(shop.pix.recurrences.offer(cnpj, other)).rejects.toMatchObject({ _tag: "RecurrenceConflict" })
    }
  })
})
