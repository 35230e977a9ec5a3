import { PixCharges } from "@pixcharge/core"
import type { PaidCharge, PlainCharge, RefundedCharge } from "@pixcharge/embed"
import {
  aCancelledCharge,
  aCharge,
  aFailedCharge,
  anExpiredCharge,
  aPaidCharge,
  aPaidEvent,
  aRefundedCharge,
  aRefundedEvent,
  aRefundFailedEvent,
  aCancelledEvent,
  anExpiredEvent,
  aRefundingCharge,
  testPix,
} from "@pixcharge/testing"
import * as effect from "@pixcharge/testing/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"

/** A charge to compare with, whose random transaction id is ignored. */
const comparable = (charge: object) => ({ ...charge, transactionId: expect.any(String) })

describe("a maker", () => {
  const id = randomUUID()
  const input = {
    id,
    amountCents: 10_000,
    dueDate: "2027-03-05",
    payer: { name: "Ana Souza", taxId: "529.982.247-25" },
    messageToPayer: "Pedido 7",
  }
  const company = { name: "Café do Zé", fees: { fine: { kind: "percent", basisPoints: 200 } } } as const
  const facts = { ...input, company }

  it("makes new and cancelled charges like an instance", async () => {
    await using pix = testPix({ company })
    const { cnpj } = pix.company
    expect(aCharge(facts)).toEqual(comparable(await pix.issue(cnpj, input)))
    const cancelledAt = pix.clock.now()
    expect(aCancelledCharge({ ...facts, cancelledAt })).toEqual(comparable(await pix.cancel(cnpj, id)))
  })

  it("makes an expired charge like an instance", async () => {
    await using pix = testPix()
    const request = { id, amountCents: 10_000 }
    const { payableUntil } = await pix.issue(pix.company.cnpj, request)
    await pix.clock.advance(payableUntil + 1 - pix.clock.now())
    const { checkAt: _, checkAtIso: __, ...expired } = anExpiredCharge(request)
    expect(await pix.find(pix.company.cnpj, id)).toMatchObject(comparable(expired))
  })

  it("makes a charge that was paid late and refunded, and its events, like an instance", async () => {
    await using pix = testPix({ company })
    const { cnpj } = pix.company
    await pix.issue(cnpj, input)
    const { payment: known, ...paid } = (await pix.payLate(id, { days: 3 })) as PlainCharge<PaidCharge>
    const payment = { paidAt: known.paidAt, endToEndId: known.endToEndId }
    const { payment: made, ...rest } = aPaidCharge({ ...facts, payment })
    const moved = { updatedAt: expect.any(Number), updatedAtIso: expect.any(String) }
    expect(rest).toEqual({ ...comparable(paid), ...moved })
    const recorded = { recordedAt: expect.any(Number), recordedAtIso: expect.any(String) }
    expect(made).toEqual({ ...known, ...recorded })
    expect(made.amountCents).toBe(10_200)
    expect(aPaidEvent({ ...facts, payment })).toEqual(pix.delivered[0])

    await pix.clock.advance("1 hour")
    const requestedAt = pix.clock.now()
    const refundFacts = { ...facts, payment, refund: { requestedAt, reason: "Sem estoque" }, refundedAt: requestedAt }
    const refunded = await pix.refund(cnpj, id, { reason: "Sem estoque" })
    await pix.runDueWork()
    const { payment: __, ...after } = aRefundedCharge(refundFacts)
    const { payment: ___, ...found } = (await pix.find(cnpj, id)) as PlainCharge<RefundedCharge>
    expect(refunded.status).toBe("refunded")
    expect(after).toEqual(comparable(found))
    expect(aRefundedEvent(refundFacts)).toEqual(pix.delivered[1])
  })

  it("makes the charge of a recurrence's cycle like an instance", async () => {
    await using pix = testPix({ recurrences: true })
    const { cnpj } = pix.company
    const recurrence = {
      id: randomUUID(),
      payer: { name: "Ana Souza", taxId: "529.982.247-25" },
      title: "Academia",
      period: "monthly",
      startDate: "2027-03-15",
    } as const
    await pix.recurrences.offer(cnpj, { ...recurrence, amountCents: 4_990, journey: { by: "code" } })
    await pix.recurrences.play(cnpj, recurrence.id, "approve")
    await pix.clock.advance("30 days")
    const [found] = (await pix.recurrences.charges(cnpj, recurrence.id)).items
    const { amountCents, dueDate, txid, cycle, watchUntil, status } = aPaidCharge({ recurrence, amountCents: 4_990 })
    const bankId = expect.any(String)
    expect(found).toMatchObject({ amountCents, dueDate, txid, cycle: { ...cycle, bankId }, watchUntil, status })
  })
})

it("gives a charge the status that its maker names", () => {
  const made = {
    pending: aCharge(),
    expired: anExpiredCharge({ dueDate: "2027-03-05" }),
    failed: aFailedCharge(),
    cancelled: aCancelledCharge(),
    paid: aPaidCharge(),
    refunding: aRefundingCharge(),
    refunded: aRefundedCharge(),
  }
  for (const [status, charge] of Object.entries(made)) expect(charge.status).toBe(status)
  expect(made.paid.refundableCents).toBe(1_990)
  expect(new Set(Object.values(made).map(({ id }) => id)).size).toBe(7)
})

it("derives from a payment whether it is late and of a wrong amount", () => {
  expect(aPaidCharge().payment).toMatchObject({ amountCents: 1_990, late: false, otherAmount: false })
  expect(aPaidCharge({ payment: { amountCents: 1_000 } }).payment).toMatchObject({ late: false, otherAmount: true })
  const { payableUntil } = aCharge()
  expect(aPaidCharge({ payment: { paidAt: payableUntil + 1 } }).payment).toMatchObject({ late: true })
})

it("names the reason and the charge in the event of a failed refund", () => {
  const id = randomUUID()
  expect(aRefundFailedEvent({ id, rejection: "conta encerrada" })).toMatchObject({
    kind: "refund-failed",
    refund: { amountCents: 1_990, reason: "conta encerrada" },
    payment: { chargeId: id },
  })
})

it("makes the events of charges that end unpaid, which cycles don't have", () => {
  const id = randomUUID()
  const charge = { chargeId: id, amountCents: 1_990 }
  expect(anExpiredEvent({ id })).toMatchObject({ kind: "expired", charge, payableUntilIso: "2027-03-01T15:10:00.000Z" })
  const monday = { payableUntilIso: "2027-03-16T02:59:59.999Z" }
  expect(anExpiredEvent({ dueDate: "2027-03-08", company: { graceDays: 6 } })).toMatchObject(monday)
  const cancelledAt = Date.parse("2027-03-01T15:02:03Z")
  const at = { occurredAtIso: "2027-03-01T15:02:03.000Z" }
  expect(aCancelledEvent({ id, cancelledAt })).toMatchObject({ kind: "cancelled", charge, by: "host", ...at })
  for (const make of [anExpiredEvent, aCancelledEvent]) {
    expect(() => make({ recurrence: {} })).toThrow("publishes no event")
  }
})

const noon = Date.parse("2027-03-01T15:00:00Z")
const broken = {
  "an amount below the minimum": [() => aCharge({ amountCents: 0 }), "from 1 to 999999999999"],
  "an id that isn't a UUID": [() => aPaidCharge({ id: "order 7" }), "must be a UUID"],
  "a payer whose CPF has wrong digits": [
    () => aCharge({ payer: { name: "Ana", taxId: "52998224726" } }),
    "right check digits",
  ],
  "a company whose CNPJ has wrong digits": [() => aCharge({ company: { cnpj: "12345678000190" } }), "check digits"],
  "a past due date": [() => aCharge({ dueDate: "2027-02-28" }), "from 2027-03-01"],
  "an invalid time": [() => aCharge({ createdAt: Number.NaN }), "createdAt must be whole epoch milliseconds"],
  "a payment before its charge": [() => aPaidCharge({ payment: { paidAt: noon - 1 } }), "payment.paidAt must be"],
  "a payment of zero": [() => aPaidCharge({ payment: { amountCents: 0 } }), "amountCents must be"],
  "a payment without an id": [() => aPaidCharge({ payment: { endToEndId: "E1" } }), "32 letters and digits"],
  "a paid charge without a payment": [() => aPaidCharge({ payment: null as never }), "payment must be an object"],
  "a refund before its payment": [() => aRefundingCharge({ refund: { requestedAt: noon } }), "refund.requestedAt must"],
  "a refund after 90 days": [
    () => aRefundingCharge({ refund: { requestedAt: noon + 91 * 86_400_000 } }),
    "too long ago",
  ],
  "money returned before it was requested": [() => aRefundedCharge({ refundedAt: noon }), "refundedAt must be"],
  "a cancellation before its charge": [() => aCancelledCharge({ cancelledAt: noon - 1 }), "cancelledAt must be"],
  "a cycle that the recurrence doesn't have": [
    () => aCharge({ recurrence: { endDate: "2027-03-20" }, cycle: 2 }),
    "one of the recurrence's cycles",
  ],
} as const

it.each(Object.entries(broken))("refuses %s with a message that names the fault", (_, [make, words]) => {
  expect(make).toThrow(words)
})

it("refuses a fact that the maker doesn't use, by types and at run time", () => {
  // @ts-expect-error: an unpaid charge has no payment
  expect(() => aCharge({ payment: { amountCents: 5 } })).toThrow('aCharge: there is no field "payment"')
  // @ts-expect-error: the maker determines the status
  expect(() => aPaidCharge({ status: "paid" })).toThrow('there is no field "status"')
  // @ts-expect-error: a misspelt fact
  expect(() => aPaidCharge({ payment: { paidat: 5 } })).toThrow('did you mean "payment.paidAt"?')
  // @ts-expect-error: a cycle's due date follows from its recurrence
  expect(() => aCharge({ recurrence: {}, dueDate: "2027-03-05" })).toThrow('there is no field "dueDate"')
  // @ts-expect-error: only a refunded charge has a time of return
  expect(() => aRefundingCharge({ refundedAt: 5 })).toThrow('there is no field "refundedAt"')
})

it("gives an Effect host a charge for a mocked service", async () => {
  const charge = effect.aRefundingCharge({ amountCents: 500 })
  const found = PixCharges.use(({ find }) => find(charge.issuer, charge.id)).pipe(
    Effect.provide(Layer.mock(PixCharges, { find: () => Effect.succeed(charge) })),
  )
  expect(await Effect.runPromise(found)).toBe(charge)
  expect(charge).not.toHaveProperty("status")
})
