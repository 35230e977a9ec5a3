import { PaymentProcessor } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect, it } from "vitest"
import { cnpj, inBrasilia, openShop } from "./recurringShop.ts"

const anEmptyList = Effect.succeed({ items: [] })

/** A sandbox whose lists of payments are empty, because banks needn't list debits. If forgetful, its look-ups lack them too. */
const unlistingBank = ({ isForgetful }: { isForgetful: boolean }) =>
  Object.assign(
    Layer.effectContext(
      Effect.map(Layer.build(sandboxProcessor()), (context) => {
        const debits = Context.get(context, RecurrenceProcessor)
        const unlisting = Context.add(context, PaymentProcessor, {
          ...Context.get(context, PaymentProcessor),
          payments: () => anEmptyList,
        })
        return Context.add(unlisting, RecurrenceProcessor, {
          ...debits,
          lookupCharge: (charge) =>
            Effect.map(debits.lookupCharge(charge), (view) =>
              isForgetful && charge._tag === "Paid" ? { ...view, payments: [] } : view,
            ),
        })
      }),
    ),
    { environment: "sandbox" as const },
  )

it.each([
  ["is shown in the charge's look-up, without a difference", false, []],
  ["isn't shown in the charge's look-up either, as missing at the bank", true, ["missingAtBank"]],
])("handles a debit that is in no list and %s", async (_, isForgetful, differences) => {
  await using shop = openShop({ processor: unlistingBank({ isForgetful }) })
  const id = await shop.approve()
  await shop.goTo("2027-03-23")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
  const day = { from: inBrasilia("2027-03-22", "00:00"), until: inBrasilia("2027-03-23", "00:00") }
  const { rows } = await shop.pix.comparison(cnpj, day)
  expect(rows.map((row) => [row.books?.amountCents, row.differences])).toEqual([[4_990, differences]])
})
