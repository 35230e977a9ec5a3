import { ProcessorUnavailable } from "@pixcharge/core"
import type { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { changeBank } from "./changeBank.ts"
import { anOffer, cnpj, openShop } from "./recurringShop.ts"

type Order = Parameters<RecurrenceProcessor["Service"]["offer"]>[0]

/** A bank that doesn't answer the first offers in time. It carries the last of them out before the look-up after `arrive`. */
const slowBank = (unanswered = 1) => {
  let [offers, ends, hasArrived] = [0, 0, false]
  let last: Order | undefined
  const processor = changeBank(sandboxProcessor(), (port) => ({
    ...port,
    offer: (order) =>
      Effect.suspend(() => {
        offers += 1
        if (offers > unanswered) return port.offer(order)
        last = order
        return Effect.fail(new ProcessorUnavailable({ operation: "offer", cause: "no answer in time" }))
      }),
    lookup: (recurrence) =>
      Effect.suspend(() => {
        const order = hasArrived ? last : undefined
        if (order === undefined) return port.lookup(recurrence)
        last = undefined
        return Effect.andThen(Effect.orDie(port.offer(order)), port.lookup(recurrence))
      }),
    end: (recurrence) =>
      Effect.suspend(() => {
        ends += 1
        return port.end(recurrence)
      }),
  }))
  const arrive = () => {
    hasArrived = true
  }
  return { processor, arrive, offers: () => offers, ends: () => ends }
}

it("repeats an unanswered offer once, after the first call can no longer be under way", async () => {
  const bank = slowBank()
  await using shop = openShop(bank)
  const offer = anOffer()
  const repeat = () => shop.pix.recurrences.offer(cnpj, offer)
  for (let times = 0; times < 3; times++) {
    await expect(repeat()).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
  }
  await shop.pix.clock.advance(119_000)
  await shop.settle()
  expect(bank.offers()).toBe(1)
  await shop.pix.clock.advance(2_000)
  const both = await Promise.allSettled([repeat(), repeat()])
  expect(bank.offers()).toBe(2)
  expect(both.some(({ status }) => status === "fulfilled")).toBe(true)
})

it.each([
  ["an offer", 1],
  ["the repetition, an hour later, of an offer", 2],
])("ends at the bank %s that arrives minutes after its end was requested", async (_, unanswered) => {
  const bank = slowBank(unanswered)
  await using shop = openShop(bank)
  const { recurrences, clock } = shop.pix
  const offer = anOffer()
  for (let time = 0; time < unanswered; time++) {
    if (time > 0) await clock.advance("1 hour")
    await expect(recurrences.offer(cnpj, offer)).rejects.toMatchObject({ _tag: "ProcessorUnavailable" })
  }
  await clock.advance(5_000)
  await recurrences.end(cnpj, offer.id)
  await clock.advance("3 minutes")
  await shop.settle()
  expect(await recurrences.find(cnpj, offer.id)).toMatchObject({ status: "ending" })
  bank.arrive()
  await clock.advance("5 minutes")
  await shop.settle()
  expect(bank.ends()).toBe(1)
  expect(await recurrences.find(cnpj, offer.id)).toMatchObject({ status: "ended" })
})
