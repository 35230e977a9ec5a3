import { ProcessorRejected, ProcessorUnavailable } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { expect, it } from "vitest"
import { cnpj, openShop } from "./recurringShop.ts"

type Port = RecurrenceProcessor["Service"]

/**
 * A bank that takes the first order without an answer. For a number of calls it then refuses the repeated order because its
 * txid is in use, and doesn't show the charge.
 */
const staleBank = (processor: SandboxProcessor, staleCalls: number) => {
  let calls = 0
  const isStale = () => ++calls <= staleCalls
  const behave = (port: Port): Port => {
    let isOrdered = false
    return {
      ...port,
      charge: (order) => {
        if (isOrdered) {
          return Effect.suspend(() =>
            isStale()
              ? Effect.fail(new ProcessorRejected({ operation: "charge", reason: Redacted.make("txid in use") }))
              : port.charge(order),
          )
        }
        isOrdered = true
        const noAnswer = new ProcessorUnavailable({ operation: "charge", cause: "no answer" })
        return Effect.andThen(port.charge(order), Effect.fail(noAnswer))
      },
      lookupCharge: (charge) =>
        Effect.map(port.lookupCharge(charge), (view) =>
          isStale() ? { ...view, debit: { status: "absent" as const, attempts: [] } } : view,
        ),
    }
  }
  const layer = Layer.effectContext(
    Effect.map(Layer.build(processor), (context) =>
      Context.add(context, RecurrenceProcessor, behave(Context.get(context, RecurrenceProcessor))),
    ),
  )
  return Object.assign(layer, { environment: "sandbox" as const })
}

it("keeps a charge pending if the bank refuses its repeated order but doesn't show the charge yet", async () => {
  await using shop = openShop({ processor: staleBank(sandboxBank().processor, 3) })
  const { pix } = shop
  const id = await shop.approve({ amountCents: undefined })
  await shop.goTo("2027-03-15", "10:00")
  const charge = await pix.recurrences.charge(cnpj, id, { cycle: 1, amountCents: 700 })
  expect(charge.status).toBe("pending")
  for (const time of ["10:01", "10:02"]) await shop.goTo("2027-03-15", time)
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["pending"])
  await shop.goTo("2027-03-23")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
  expect(shop.kinds()).not.toContain("payment-failed")
})
