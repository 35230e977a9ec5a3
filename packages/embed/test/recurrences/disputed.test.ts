import { ProcessorUnavailable } from "@pixcharge/core"
import { addDays, type LocalDate } from "@pixcharge/core/calendar"
import { type SandboxProcessor, sandboxBank } from "@pixcharge/processor-sandbox"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { changeBank } from "./changeBank.ts"
import { cnpj, inBrasilia, openShop } from "./recurringShop.ts"

const disputedAt = inBrasilia("2027-04-10")

/** A bank that returns a debit after a dispute, and shows the return only in the look-up of the charge, in no list. */
const disputingBank = (processor: SandboxProcessor, now: () => number) =>
  changeBank(processor, (port) => ({
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
  }))

/** A bank that takes an order without an answer. A later look-up finds the charge. */
const slowBank = (processor: SandboxProcessor) =>
  changeBank(processor, (port) => ({
    ...port,
    charge: (order) =>
      Effect.andThen(
        port.charge(order),
        new ProcessorUnavailable({ operation: "chargeCycle", cause: "not shown yet" }),
      ),
  }))

it.each([
  ["after it was paid", "2027-03-23", "12:00"],
  ["on its day", "2027-03-22", "05:00"],
] as const)("finds the return of a disputed debit, even if the recurrence has ended %s", async (_, day, time) => {
  let now = 0
  await using shop = openShop({ processor: disputingBank(sandboxBank().processor, () => now) })
  const id = await shop.approve()
  await shop.goTo(day, time)
  await shop.pix.recurrences.end(cnpj, id)
  await shop.goTo("2027-04-09")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["paid"])
  now = disputedAt
  await shop.goTo("2027-04-20")
  expect((await shop.charges(id)).map(({ status }) => status)).toEqual(["refunded"])
  expect(shop.kinds()).toContain("refunded")
})

it("finds the returns of disputed weekly debits, even if the bank didn't answer their orders", async () => {
  let now = 0
  await using shop = openShop({ processor: disputingBank(slowBank(sandboxBank().processor), () => now) })
  const id = await shop.approve({ period: "weekly", startDate: "2027-03-22" })
  const statuses = async () => (await shop.charges(id)).map(({ status }) => status)
  for (let day = 0; day < 40; day++) await shop.goTo(addDays("2027-03-01" as LocalDate, day + 1), "22:00")
  expect((await statuses()).slice(0, 3)).toEqual(["paid", "paid", "paid"])
  now = disputedAt
  for (let day = 40; day < 50; day++) await shop.goTo(addDays("2027-03-01" as LocalDate, day + 1), "22:00")
  expect((await statuses()).slice(0, 3)).toEqual(["refunded", "refunded", "refunded"])
})
