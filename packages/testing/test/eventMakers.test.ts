import { factKinds, type PaidCharge, type PlainCharge } from "@pixcharge/embed"
import {
  aPartRefundedEvent,
  aPaymentFailedEvent,
  anExceptionEvent,
  anExceptionReturnedEvent,
  testPix,
} from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"

const minuteMs = 60_000

describe("a maker of events", () => {
  it("makes the events of a second payment and its refund like an instance", async () => {
    await using pix = testPix({ events: factKinds })
    const { cnpj } = pix.company
    const request = { id: randomUUID(), amountCents: 1_990, reference: "order-7" }
    await pix.issue(cnpj, request)
    await pix.pay(request.id)
    await pix.payTwice(request.id)
    const exception = pix.delivered.find(({ kind }) => kind === "exception")
    const endToEndId = exception?.kind === "exception" ? exception.exception.endToEndId : ""
    const payment = { endToEndId, paidAt: pix.clock.now() }
    expect(anExceptionEvent({ ...request, payment })).toEqual(exception)

    await pix.exceptions.refund(cnpj, endToEndId)
    await pix.runDueWork()
    const times = { occurredAt: expect.any(Number), occurredAtIso: expect.any(String) }
    const returned = pix.delivered.find(({ kind }) => kind === "exception-returned")
    expect({ ...anExceptionReturnedEvent({ ...request, payment }), ...times }).toEqual(returned)
  })

  it("makes the event of a returned part like an instance", async () => {
    await using pix = testPix({ events: factKinds })
    const { cnpj } = pix.company
    const request = { id: randomUUID(), amountCents: 1_990, metadata: { seller: "ana" } }
    await pix.issue(cnpj, request)
    const { payment } = (await pix.pay(request.id)) as PlainCharge<PaidCharge>
    const part = { key: randomUUID(), amountCents: 500 }
    await pix.clock.advance(payment.recordedAt + minuteMs - pix.clock.now())
    await pix.refundPart(cnpj, request.id, part)
    await pix.runDueWork()
    const { paidAt, endToEndId } = payment
    const made = aPartRefundedEvent({ ...request, payment: { paidAt, endToEndId }, part })
    const times = { occurredAt: expect.any(Number), occurredAtIso: expect.any(String) }
    expect(pix.delivered.at(-1)).toEqual({ ...made, ...times })
  })

  it("makes the event of a failed debit like an instance, with the attempt that follows", async () => {
    await using pix = testPix({ recurrences: true })
    const { cnpj } = pix.company
    const recurrence = {
      id: randomUUID(),
      payer: { name: "Ana Souza", taxId: "529.982.247-25" },
      title: "Academia",
      period: "monthly",
      startDate: "2027-04-20",
      retries: "threeInSeven",
      retryOn: [1, 3],
    } as const
    await pix.recurrences.offer(cnpj, { ...recurrence, amountCents: 4_990, journey: { by: "code" } })
    await pix.recurrences.play(cnpj, recurrence.id, "approve")
    await pix.recurrences.playDebit(cnpj, recurrence.id, "noBalance")
    await pix.clock.advance("51 days")
    const delivered = pix.delivered.find(({ kind }) => kind === "payment-failed")
    const made = aPaymentFailedEvent({ recurrence, amountCents: 4_990 })
    expect(made).toMatchObject({ reason: "unpaid", nextAttemptOn: "2027-04-21", mayRetryUntilIso: expect.any(String) })
    const { occurredAt: _, occurredAtIso: __, ...facts } = made
    expect(delivered).toMatchObject({ ...facts, reason: expect.any(String) })
  })
})

it("gives different payments of one charge different ids", () => {
  const id = randomUUID()
  const { exception } = anExceptionEvent({ id })
  expect(exception).toMatchObject({ chargeId: id, amountCents: 1_990, reason: "furtherPayment" })
  expect(aPartRefundedEvent({ id }).payment.endToEndId).not.toBe(exception.endToEndId)
})

it("names no charge in the event of an unmatched payment", () => {
  const { exception } = anExceptionEvent({ reason: "unmatched", payment: { amountCents: 500 } })
  expect(exception).toEqual({ endToEndId: expect.any(String), amountCents: 500, reason: "unmatched" })
})

it("returns a part of half the payment by default", () => {
  expect(aPartRefundedEvent()).toMatchObject({ part: { amountCents: 995 }, returnKind: "refund" })
})

it("has no next attempt in the event of a debit that isn't retried", () => {
  expect(aPaymentFailedEvent()).not.toHaveProperty("nextAttemptOn")
  expect(aPaymentFailedEvent({ recurrence: { retries: "threeInSeven" } })).toHaveProperty("mayRetryUntil")
})
