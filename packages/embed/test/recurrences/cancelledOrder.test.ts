import type { ProcessorUnavailable, ProcessorRejected } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { cnpj, openShop } from "./recurringShop.ts"

type Port = RecurrenceProcessor["Service"]

/** A bank whose connection holds back the first order of a debit until the test lets it through. */
const slowLine = (processor: SandboxProcessor) => {
  const passed = Latch.makeUnsafe()
  const sent = Latch.makeUnsafe()
  let lookAtBank: Effect.Effect<string, ProcessorUnavailable> | undefined
  const delay = (port: Port): Port => ({
    ...port,
    charge: (order): Effect.Effect<void, ProcessorUnavailable | ProcessorRejected> => {
      if (lookAtBank !== undefined) return port.charge(order)
      lookAtBank = Effect.map(port.lookupCharge(order.charge), ({ debit }) => debit.status)
      return sent.open.pipe(Effect.andThen(passed.await), Effect.andThen(port.charge(order)))
    },
  })
  const layer = Layer.effectContext(
    Effect.map(Layer.build(processor), (context) =>
      Context.add(context, RecurrenceProcessor, delay(Context.get(context, RecurrenceProcessor))),
    ),
  )
  return {
    processor: Object.assign(layer, { environment: "sandbox" as const }),
    sent: () => Effect.runPromise(sent.await),
    letThrough: () => Effect.runPromise(passed.open),
    statusAtBank: () => Effect.runPromise(lookAtBank ?? Effect.succeed("never ordered")),
  }
}

it("never debits a charge that is cancelled while its order is under way to the bank", async () => {
  const line = slowLine(sandboxBank().processor)
  await using shop = openShop({ processor: line.processor })
  const { pix } = shop
  const id = await shop.approve({ amountCents: undefined })
  await shop.goTo("2027-03-15", "10:00")
  const charging = pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 700 })
  await line.sent()
  const [charge] = await shop.charges(id)
  expect(await pix.cancel(cnpj, charge?.id ?? "")).toMatchObject({ status: "cancelled" })
  await line.letThrough()
  expect(await charging).toMatchObject({ status: "cancelled" })
  expect(await line.statusAtBank()).toBe("cancelled")
})
