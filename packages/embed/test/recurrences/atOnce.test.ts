import { RecurrenceProcessor, RecurrenceStore } from "@pixcharge/core/recurring"
import { sandboxBank } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { anOffer, cnpj, openShop } from "./recurringShop.ts"

/** A bank that runs `meanwhile` after it looked up a recurrence, before the caller gets the answer. */
const interruptedBank = (meanwhile: () => Promise<unknown>) => {
  const layer = Layer.effectContext(
    Effect.map(Layer.build(sandboxBank().processor), (context) => {
      const port = Context.get(context, RecurrenceProcessor)
      const lookup: typeof port.lookup = (recurrence) =>
        Effect.tap(port.lookup(recurrence), () => Effect.promise(meanwhile))
      return Context.add(context, RecurrenceProcessor, { ...port, lookup })
    }),
  )
  return Object.assign(layer, { environment: "sandbox" as const })
}

it("checks a recurrence again after a notice that comes during its check", async () => {
  const offer = anOffer()
  let isInterrupted = false
  const approve = async () => {
    if (isInterrupted) return
    isInterrupted = true
    await shop.pix.recurrences.play(cnpj, offer.id, "approve")
  }
  await using shop = openShop({ processor: interruptedBank(approve) })
  await shop.pix.recurrences.offer(cnpj, offer)
  await shop.pix.clock.advance("2 minutes")
  await shop.settle()
  expect(isInterrupted).toBe(true)
  await shop.pix.clock.advance("3 seconds")
  await shop.settle()
  expect(await shop.pix.recurrences.find(cnpj, offer.id)).toMatchObject({ status: "approved" })
})

/** A store that runs `meanwhile` between the reading and the writing of a cycle. */
const interruptedStore = (meanwhile: () => Promise<unknown>) =>
  Layer.effectContext(
    Effect.map(Layer.build(memoryStore()), (context) => {
      const port = Context.get(context, RecurrenceStore)
      const lastCharge: typeof port.lastCharge = (issuer, id, cycle) =>
        Effect.tap(port.lastCharge(issuer, id, cycle), () => Effect.promise(meanwhile))
      return Context.add(context, RecurrenceStore, { ...port, lastCharge })
    }),
  )

it("charges a cycle even if another call changes its recurrence meanwhile", async () => {
  let skipped = 1
  let isOpen = false
  const skip = async () => {
    if (isOpen && skipped < 4) await shop.pix.recurrences.skip(cnpj, id, ++skipped)
  }
  await using shop = openShop({ store: interruptedStore(skip) })
  const { recurrences } = shop.pix
  const id = await shop.approve({ amountCents: undefined })
  await shop.goTo("2027-03-15", "10:00")
  isOpen = true
  const charge = await recurrences.charge(cnpj, id, { cycle: 1, amountCents: 700 })
  expect(charge).toMatchObject({ status: "pending", amountCents: 700 })
  expect(await recurrences.find(cnpj, id)).toMatchObject({ skipped: [[2, 4]] })
})
