import type { PaymentException } from "@pixcharge/core/charges"
import { aReturn, anUnmatchedPayment, cents } from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { decideException, type ExceptionCommand } from "../../src/model/charge/PaymentException.ts"

const payment = anUnmatchedPayment()
/** The end of the 90th day after the payment, in Brasília. */
const last = Date.parse("2026-09-02T02:59:59.999Z")
const { issuer, endToEndId } = payment
const now = payment.paidAt + 60_000
const later = now + 10_000
const id = `${endToEndId}X0`
const refund = { id, attempt: 1, requestedAt: now, unanswered: [now] }

const inState = (state: PaymentException["state"], returns: PaymentException["returns"] = []): PaymentException => ({
  payment,
  reason: "unmatched",
  state,
  version: 0,
  returns,
})
const open = inState({ _tag: "Open" })
const refunding = inState({ _tag: "Refunding", refund, checkAt: now + 2_000 })
const refunded = inState({ _tag: "Refunded", refundId: id, refundedAt: now }, [aReturn(payment)])
const resolved = inState({ _tag: "Resolved", note: "returned in cash", resolvedAt: now })

const request: ExceptionCommand = { _tag: "RequestRefund" }
const resolve: ExceptionCommand = { _tag: "Resolve", note: "returned in cash" }
const refusal = (refundId: string): ExceptionCommand => ({
  _tag: "RefuseRefund",
  refundId,
  calledAt: now,
  reason: "no balance",
  hasLooked: true,
})
const decided = (exception: PaymentException, command: ExceptionCommand, at = now) =>
  Result.getOrThrow(decideException(exception, command, at))

describe("a payment that settled no charge", () => {
  it("is refunded under its own id and looked up after 2 s", () => {
    expect(decided(open, request)).toEqual({
      next: { _tag: "Refunding", refund, checkAt: now + 2_000 },
      returns: [],
    })
  })

  it("keeps its next check when one more call is made", () => {
    const called = { ...refund, unanswered: [now, now + 1] }
    expect(decided(refunding, { _tag: "CallRefund", refundId: id })).toEqual({
      next: { _tag: "Refunding", refund: called, checkAt: now + 2_000 },
      returns: [],
    })
  })

  it("is open again after a refused refund; a new request keeps the refund's id", () => {
    const failedRefund = { id, attempt: 1, requestedAt: now, rejection: "no balance" }
    const failed = decided(refunding, refusal(id))
    expect(failed).toEqual({ next: { _tag: "Open", failedRefund }, returns: [], failedRefund })
    const again = decided(inState({ _tag: "Open", failedRefund }), request, later)
    expect(again.next).toMatchObject({ refund: { id, attempt: 1, requestedAt: later, unanswered: [] } })
    if (again.next?._tag !== "Refunding") throw new Error("expected a refund under way")
    const next = decided(inState(again.next), { _tag: "CallRefund", refundId: id, isRefused: true }).next
    expect(next).toMatchObject({ refund: { id: `${endToEndId}X1`, attempt: 2 } })
  })

  it("becomes refunded by its own refund or by returns of the whole payment", () => {
    const outcome = { _tag: "Returned", returnedAt: later } as const
    const ours = { issuer, id, endToEndId, kind: "refund", amountCents: payment.amountCents, returnedAt: later }
    expect(
      decided(refunding, { _tag: "FinishRefund", refundId: id, amountCents: payment.amountCents, outcome }),
    ).toEqual({
      next: { _tag: "Refunded", refundId: id, refundedAt: later },
      returns: [ours],
      isReturned: true,
    })
    const returned = aReturn(payment)
    expect(decided(open, { _tag: "RecordReturn", returned })).toEqual({
      next: { _tag: "Refunded", refundId: returned.id, refundedAt: returned.returnedAt },
      returns: [returned],
      isReturned: true,
    })
  })

  it("names its own refund even if the bank returned the payment later", () => {
    const whole = aReturn(payment, { returnedAt: later })
    const ours = aReturn(payment, { id, kind: "refund", returnedAt: now })
    const both = { ...refunding, returns: [whole] }
    expect(decided(both, { _tag: "RecordReturn", returned: ours })).toEqual({
      next: { _tag: "Refunded", refundId: id, refundedAt: later },
      returns: [ours],
      isReturned: true,
    })
  })

  it("stays open after a partial return", () => {
    const returned = aReturn(payment, { amountCents: cents(1) })
    expect(decided(open, { _tag: "RecordReturn", returned })).toEqual({ next: open.state, returns: [returned] })
  })

  it("is resolved once, with a note", () => {
    expect(decided(open, resolve)).toEqual({ next: resolved.state, returns: [] })
    expect(decided(resolved, resolve, later)).toEqual({ returns: [] })
  })

  it("stays resolved when the payment goes back, and has the time of its last return once it is whole", () => {
    const part = aReturn(payment, { id: "Aa1", amountCents: cents(1), returnedAt: now })
    const rest = aReturn(payment, { id: "Bb2", amountCents: cents(payment.amountCents - 1), returnedAt: later })
    const record = (returned: typeof part): ExceptionCommand => ({ _tag: "RecordReturn", returned })
    expect(decided(resolved, record(part))).toEqual({ next: resolved.state, returns: [part] })
    const returned = { ...resolved.state, returnedAt: later }
    expect(decided(inState(resolved.state, [part]), record(rest))).toEqual({
      next: returned,
      returns: [rest],
      isReturned: true,
    })
    expect(decided(inState(returned, [part, rest]), record(rest))).toEqual({ returns: [] })
  })

  it.each([
    ["a second request", refunding, request],
    ["a call for another refund", refunding, { _tag: "CallRefund", refundId: "other" } as const],
    ["a refusal of another refund", refunding, refusal("other")],
    ["a request after the money went back", refunded, request],
    ["a known return", refunded, { _tag: "RecordReturn", returned: refunded.returns[0]! } as const],
  ])("doesn't change after %s", (_, exception, command) => {
    expect(decided(exception, command)).toEqual({ returns: [] })
  })

  const returnedInPart = inState({ _tag: "Open" }, [aReturn(payment, { amountCents: cents(1) })])
  it.each([
    ["refunded after it was resolved", resolved, request, now, "Resolved"],
    ["refunded after a part went back", returnedInPart, request, now, "PartlyReturned"],
    ["refunded after the 90th day", open, request, last + 1, "RefundWindowClosed"],
    ["resolved while its refund is under way", refunding, resolve, now, "Refunding"],
    ["resolved after the money went back", refunded, resolve, now, "Refunded"],
  ])("can't be %s", (_, exception, command, at, state) => {
    const failure = Result.getOrThrow(Result.flip(decideException(exception, command, at)))
    expect(failure).toMatchObject({ _tag: "ExceptionClosed", issuer, endToEndId, state })
  })

  it("can be refunded until the last millisecond of the 90th day", () => {
    expect(decided(open, request, last).next).toMatchObject({ _tag: "Refunding" })
  })
})
