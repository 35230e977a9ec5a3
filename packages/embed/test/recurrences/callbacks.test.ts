import { testPix, testReceiver } from "@pixcharge/testing"
import { expect, it } from "vitest"
import { anOffer } from "./recurringShop.ts"

it("sends the same events of each kind to a signed callback and to the host's function", async () => {
  await using receiver = await testReceiver()
  await using pix = testPix({ recurrences: true, company: { callback: receiver.callback } })
  const { cnpj } = pix.company
  const { recurrences } = pix
  const fixed = await recurrences.offer(cnpj, anOffer({ retries: "threeInSeven" }))
  const variable = await recurrences.offer(cnpj, anOffer({ amountCents: undefined }))
  for (const { id } of [fixed, variable]) await recurrences.play(cnpj, id, "approve")
  await recurrences.playDebit(cnpj, fixed.id, "noBalance")
  await pix.clock.advance("22 days")
  await recurrences.end(cnpj, variable.id)
  const [charge] = (await recurrences.charges(cnpj, fixed.id)).items
  await recurrences.retry(cnpj, charge?.id ?? "")
  await pix.clock.advance("1 day")
  await pix.refund(cnpj, charge?.id ?? "")
  await recurrences.play(cnpj, fixed.id, "cancel")
  await pix.runDueWork()
  expect(new Set(receiver.received.map(({ kind }) => kind))).toEqual(
    new Set([
      "recurrence-approved",
      "recurrence-ended",
      "cycle-due",
      "payment-scheduled",
      "payment-failed",
      "paid",
      "refunded",
    ]),
  )
  const byId = (events: typeof receiver.received) => events.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  // The bodies of `pix.pago` and `pix.estornado` don't name the cycle.
  const asCalledBack = pix.delivered.map((event): (typeof pix.delivered)[number] => {
    if (event.payment === undefined) return event
    const { cycle, ...payment } = event.payment
    expect(cycle).toMatchObject({ recurrenceId: fixed.id, cycle: 1 })
    return { ...event, payment }
  })
  expect(byId(receiver.received)).toEqual(byId(asCalledBack))
})
