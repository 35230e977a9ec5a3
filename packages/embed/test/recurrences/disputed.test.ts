import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { cnpj, inBrasilia, openShop } from "./recurringShop.ts"

const disputedAt = inBrasilia("2027-04-10")

/** A bank that takes a debit back by a dispute, and shows that with the charge alone, in no list of payments. */
const disputingBank = (processor: SandboxProcessor, now: () => number) =>
  Object.assign(
    Layer.effectContext(
      Effect.map(Layer.build(processor), (context) => {
        const port = Context.get(context, RecurrenceProcessor)
        return Context.add(context, RecurrenceProcessor, {
          ...port,
          lookupCharge: (charge) =>
            Effect.map(port.lookupCharge(charge), (view) => ({
              ...view,
              returns:
                now() < disputedAt
                  ? view.returns
                  : view.payments.map(({ issuer, endToEndId, amountCents }) => ({
                      issuer,
                      endToEndId,
                      amountCents,
                      id: "D1",
                      kind: "dispute" as const,
                      returnedAt: disputedAt,
                    })),
            })),
        })
      }),
    ),
    { environment: "sandbox" as const },
  )

it("money that the bank takes back of a debit is found, also after the recurrence has ended", async () => {
  let now = 0
  await using shop = openShop({ processor: disputingBank(sandboxBank().processor, () => now) })
  const id = await shop.approve()
  await shop.goTo("2027-03-23")
  await shop.pix.recurrences.end(cnpj, id)
  await shop.goTo("2027-04-09")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
  now = disputedAt
  await shop.goTo("2027-04-20")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["refunded"])
  expect(shop.kinds()).toContain("refunded")
})
