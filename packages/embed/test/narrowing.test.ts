import type { PlainCharge, PlainEvent, PlainException, PlainPartialRefund, PlainStoryEntry } from "@pixcharge/embed"
import { pixReceiver, verifyEvent } from "@pixcharge/callback-fetch/receiver"
import { testPix } from "@pixcharge/testing"
import { randomUUID } from "node:crypto"
import { expect, expectTypeOf, it } from "vitest"

// `tsc -b` refuses this file if a status or kind no longer narrows its type.

const whenSettled = (charge: PlainCharge): string | undefined => {
  if (charge.status === "paid") return charge.payment.paidAtIso
  if (charge.status === "refunding") return charge.refund.requestedAtIso
  if (charge.status === "refunded") return charge.refundedAtIso
  if (charge.status === "cancelled") return charge.cancelledAtIso
  expectTypeOf(charge.status).toEqualTypeOf<"pending" | "expired" | "failed">()
  // @ts-expect-error -- an unpaid charge has no payment
  return charge.payment
}

const paidCents = (event: PlainEvent): number => (event.payment === undefined ? 0 : event.payment.amountCents)

const noteIn = (exception: PlainException): string | undefined => {
  if (exception.status === "resolved") return exception.state.note
  if (exception.status === "refunding") return exception.state.refund.id
  if (exception.status === "open") return exception.state.failedRefund?.rejection
  // @ts-expect-error -- a returned exception has no note
  return exception.state.note
}

const reasonIn = (part: PlainPartialRefund): string => (part.status === "failed" ? part.rejection : part.status)

const amountIn = (entry: PlainStoryEntry): number => (entry.kind === "paid" ? entry.payment.amountCents : 0)

const resolutionIn = (entry: PlainStoryEntry): string | undefined =>
  entry.kind === "exception" && entry.exception.status === "resolved" ? entry.exception.state.note : undefined

const paidSum = (events: ReadonlyArray<PlainEvent>): number =>
  events.filter((event) => event.kind === "paid").reduce((sum, { payment }) => sum + payment.amountCents, 0)

it("narrows a charge by its status to the fields of that state", async () => {
  await using pix = testPix()
  const { id } = await pix.issue(pix.company.cnpj, { id: randomUUID(), amountCents: 1_000 })
  const paid = await pix.simulatePayment(pix.company.cnpj, id)
  expect(whenSettled(paid)).toBe("2027-03-01T15:00:00.000Z")
  await pix.refund(pix.company.cnpj, id)
  await pix.runDueWork()
  expect(whenSettled(await pix.find(pix.company.cnpj, id))).toMatch(/^2027-03-01T15:00/)
  expect(pix.delivered.map(paidCents)).toEqual([1_000, 1_000])
  expect(paidSum(pix.delivered)).toBe(1_000)
})

it("gives onEvent and receivers one type of event, which narrows by its kind", () => {
  expectTypeOf<Exclude<ReturnType<typeof verifyEvent>, string>>().toEqualTypeOf<PlainEvent>()
  expectTypeOf<Parameters<Parameters<typeof pixReceiver>[0]["onEvent"]>[0]>().toEqualTypeOf<PlainEvent>()
  expect(
    [verifyEvent, pixReceiver, noteIn, reasonIn, amountIn, resolutionIn].every((one) => typeof one === "function"),
  ).toBe(true)
})
