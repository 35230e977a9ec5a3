import { ProcessorUnavailable } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { anOffer, cnpj, openShop } from "./recurringShop.ts"

/** A bank that doesn't answer the first offer in time. */
const slowBank = () => {
  let offers = 0
  const sandbox = sandboxProcessor()
  const layer = Layer.effectContext(
    Effect.map(Layer.build(sandbox), (context) => {
      const port = Context.get(context, RecurrenceProcessor)
      const offer: typeof port.offer = (order) =>
        Effect.suspend(() => {
          offers += 1
          const late = new ProcessorUnavailable({ operation: "offer", cause: "no answer in time" })
          return offers === 1 ? Effect.fail(late) : port.offer(order)
        })
      return Context.add(context, RecurrenceProcessor, { ...port, offer })
    }),
  )
  return { processor: Object.assign(layer, { environment: "sandbox" as const }), offers: () => offers }
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
