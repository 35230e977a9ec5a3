import type { Charge, PaidCharge, RefundingCharge, Refusal, Return } from "@pixcharge/core/charges"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import { chargeRefundId } from "../../src/model/charge/Refund.ts"
import type { Transition } from "../../src/model/charge/Transition.ts"
import {
  aCancelledCharge,
  aFailedRefund,
  anEndToEndId,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  aRefundedCharge,
  aRefundId,
  aRefundingCharge,
  aReturn,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const now = fixtureNow + 300_000

const done = (result: Result.Result<Transition, Refusal>): Transition => Result.getOrThrow(result)

const refusalTag = (result: Result.Result<Transition, Refusal>): string =>
  Result.isFailure(result) ? result.failure._tag : "none"

const after = (charge: Charge, command: Command, at = now): Charge => done(decide(charge, command, at)).next ?? charge

const pending = aPendingCharge({ amountCents: cents(1000) })
const paid = aPaidCharge(pending)
const refunding = aRefundingCharge(paid)
const refunded = aRefundedCharge(refunding)
const cancelled = aCancelledCharge(pending)
const everyState = [pending, paid, refunding, refunded, cancelled] as const

const half = (charge: PaidCharge, overrides: Partial<Return> = {}): Return =>
  aReturn(charge.payment, { amountCents: cents(500), ...overrides })

describe("a payment", () => {
  it("settles a pending charge, is recorded and published", () => {
    const payment = aPayment(pending)
    expect(done(decide(pending, { _tag: "ConfirmPayment", payment }, now))).toEqual({
      next: { ...pending, _tag: "Paid", payment, version: 2, updatedAt: now },
      payments: [payment],
      returns: [],
      news: [{ kind: "paid" }],
    })
  })

  it("settles the charge even if it is late or of another amount", () => {
    const payment = aPayment(pending, { late: true, otherAmount: true, amountCents: cents(1) })
    const long = pending.watchUntil + 1e9
    expect(after(pending, { _tag: "ConfirmPayment", payment }, long)).toMatchObject({ _tag: "Paid", payment })
  })

  it("ends the checks for a lost notice", () => {
    const watched = { ...pending, checkAt: now }
    expect(after(watched, { _tag: "ConfirmPayment", payment: aPayment(pending) })).not.toHaveProperty("checkAt")
  })

  it("changes nothing if its endToEndId is known", () => {
    for (const charge of [paid, refunding, refunded]) {
      const again = done(decide(charge, { _tag: "ConfirmPayment", payment: paid.payment }, now))
      expect(again).toEqual({ payments: [], returns: [] })
    }
  })

  it("is recorded in any state if its endToEndId is new", () => {
    for (const charge of [paid, refunding, refunded, cancelled]) {
      const payment = aPayment(charge)
      expect(done(decide(charge, { _tag: "ConfirmPayment", payment }, now))).toEqual({
        payments: [payment],
        returns: [],
      })
    }
  })
})

describe("a refund", () => {
  const request: Command = { _tag: "RequestRefund" }
  const returned: Command = {
    _tag: "FinishRefund",
    refundId: refunding.refund.id,
    amountCents: refunding.payment.amountCents,
    outcome: { _tag: "Returned", returnedAt: now - 5 },
  }
  const rejected: Command = {
    _tag: "FinishRefund",
    refundId: refunding.refund.id,
    amountCents: refunding.payment.amountCents,
    outcome: { _tag: "Rejected", reason: "conta encerrada" },
  }

  it("starts under an id made of payment and attempt, and supersedes an unsent `paid`", () => {
    expect(done(decide(paid, request, now))).toEqual({
      next: {
        ...paid,
        _tag: "Refunding",
        version: 3,
        updatedAt: now,
        refund: { id: aRefundId(paid.payment), attempt: 1, requestedAt: now, unanswered: [now] },
        checkAt: now + 2_000,
      },
      payments: [],
      returns: [],
      unsent: "supersede",
    })
  })

  it("has an id that API Pix accepts at any attempt", () => {
    for (const attempt of [1, 36, 1_679_615])
      expect(chargeRefundId(paid.payment, attempt)).toMatch(/^[a-zA-Z0-9]{1,35}$/)
  })

  it("is refused for an unpaid or cancelled charge", () => {
    expect(refusalTag(decide(pending, request, now))).toBe("ChargeNotPaid")
    expect(refusalTag(decide(cancelled, request, now))).toBe("ChargeCancelled")
  })

  it("changes nothing when it is requested again", () => {
    for (const charge of [refunding, refunded]) {
      expect(done(decide(charge, request, now))).toEqual({ payments: [], returns: [] })
    }
  })

  it.each([
    ["first", "2026-11-20T03:00:00.000Z"],
    ["last", "2026-11-21T02:59:59.999Z"],
  ])("can begin until the end of the 90th day after a payment at the %s millisecond of its day", (_, paidAt) => {
    const old = { ...paid, payment: { ...paid.payment, paidAt: Date.parse(paidAt) } }
    const last = Date.parse("2027-02-19T02:59:59.999Z")
    expect(after(old, request, last)._tag).toBe("Refunding")
    expect(decide(old, request, last + 1)).toMatchObject({
      failure: { _tag: "RefundWindowClosed", closedAt: last, issuer: paid.issuer, id: paid.id },
    })
  })

  it("is refused after a partial return elsewhere; the error has the returned cents", () => {
    const partlyReturned = { ...paid, returns: [half(paid), half(paid, { amountCents: cents(1) })] }
    expect(decide(partlyReturned, request, now)).toMatchObject({
      failure: { _tag: "ChargePartlyReturned", returnedCents: 501 },
    })
  })

  it("makes the charge refunded and records its return", () => {
    const row = {
      issuer: paid.issuer,
      id: refunding.refund.id,
      endToEndId: paid.payment.endToEndId,
      kind: "refund",
      amountCents: paid.payment.amountCents,
      returnedAt: now - 5,
    }
    const { checkAt: _, ...rest } = refunding
    expect(done(decide(refunding, returned, now))).toEqual({
      next: { ...rest, _tag: "Refunded", version: 4, updatedAt: now, refundedAt: now - 5, returns: [row] },
      payments: [],
      returns: [row],
      news: [{ kind: "refunded" }],
      unsent: "supersede",
    })
  })

  it("returns the amount paid, not the amount of the charge", () => {
    const more = aPaidCharge(pending, aPayment(pending, { amountCents: cents(1234), otherAmount: true }))
    const refundingMore = aRefundingCharge(more)
    const back = after(refundingMore, {
      ...returned,
      amountCents: refundingMore.payment.amountCents,
      refundId: refundingMore.refund.id,
    } as Command)
    expect(back.returns).toMatchObject([{ amountCents: 1234 }])
  })

  it("makes the charge paid again if it fails, and restores an unsent `paid`", () => {
    const { checkAt: _, refund, ...rest } = refunding
    const failedRefund = { ...refund, rejection: "conta encerrada" }
    expect(done(decide(refunding, rejected, now))).toEqual({
      next: { ...rest, _tag: "Paid", version: 4, updatedAt: now, failedRefund },
      news: [{ kind: "refund-failed", refund: failedRefund, amountCents: 1000 }],
      payments: [],
      returns: [],
      unsent: "restore",
    })
  })

  it("isn't ended by its earlier recorded refusal after a new request", () => {
    const again = after(aFailedRefund(refunding, "conta encerrada"), request, now + 9)
    expect(done(decide(again, rejected, now + 10))).toEqual({ payments: [], returns: [] })
  })

  it("keeps its id when it is requested again after a failure", () => {
    const failed = aFailedRefund(refunding, "conta encerrada")
    const again = after(failed, request, now + 9)
    const refund = { ...failed.failedRefund, requestedAt: now + 9, unanswered: [], rejection: undefined }
    expect(again).toMatchObject({ _tag: "Refunding", refund: { id: aRefundId(paid.payment), attempt: 1 } })
    expect({ ...refund, ...("refund" in again && again.refund) }).toEqual(refund)
    expect(again).not.toHaveProperty("failedRefund")
    expect(again).not.toHaveProperty("refund.reason")
  })

  it("keeps its reason until it ends; a new request after a failure sets a new reason", () => {
    const reasonIn = (charge: Charge) => {
      const refund = charge._tag === "Paid" ? charge.failedRefund : "refund" in charge ? charge.refund : undefined
      return refund?.reason
    }
    const afterRequest = (charge: Charge, reason?: string) =>
      after(charge, { _tag: "RequestRefund", ...(reason !== undefined && { reason }) })
    const first = afterRequest(paid, "Falta")
    expect([reasonIn(first), reasonIn(afterRequest(first, "Outro"))]).toEqual(["Falta", "Falta"])
    const refundId = aRefundId(paid.payment)
    const called = after(first, { _tag: "CallRefund", refundId })
    const second = after(called, { _tag: "CallRefund", refundId, isRefused: true })
    const row = aReturn(paid.payment, { id: refundId, kind: "refund" })
    const recorded = after(first, { _tag: "RecordReturn", returned: row })
    expect([called, second, after(first, returned), recorded].map(reasonIn)).toEqual(Array(4).fill("Falta"))
    const failed = after(first, rejected)
    expect([reasonIn(failed), reasonIn(afterRequest(failed, "Outro")), reasonIn(afterRequest(failed))]).toEqual([
      "Falta",
      "Outro",
      undefined,
    ])
  })

  it("gets the next id once after its refusal was recorded", () => {
    const again = after(aFailedRefund(refunding, "conta encerrada"), request, now + 9)
    const call: Command = { _tag: "CallRefund", refundId: aRefundId(paid.payment), isRefused: true }
    const next = after(again, call, now + 20)
    const refund = { id: aRefundId(paid.payment, 2), attempt: 2, requestedAt: now + 20, unanswered: [now + 20] }
    expect(next).toMatchObject({ _tag: "Refunding", checkAt: again.checkAt })
    expect("refund" in next && next.refund).toEqual(refund)
    expect(done(decide(next, call, now + 21))).toEqual({ payments: [], returns: [] })
  })

  it("fails if another amount was returned under its id", () => {
    const other = { ...returned, amountCents: cents(999) } as Command
    const failed = done(decide(refunding, other, now))
    const row = { id: refunding.refund.id, amountCents: 999, kind: "refund" }
    expect(failed).toMatchObject({
      next: { _tag: "Paid", failedRefund: { id: refunding.refund.id, rejection: expect.any(String) }, returns: [row] },
      returns: [row],
      unsent: "restore",
    })
    expect(refusalTag(decide(failed.next as Charge, request, now))).toBe("ChargePartlyReturned")
    const seen = after(refunding, record(aReturn(paid.payment, { id: refunding.refund.id, amountCents: cents(999) })))
    expect(seen._tag).toBe("Refunding")
    expect(after(seen, returned)._tag).toBe("Paid")
  })

  it("ignores a rejection of another attempt, or of a refund that has ended", () => {
    const failed = aFailedRefund(refunding, "conta encerrada")
    const second = aRefundingCharge(failed)
    for (const charge of [pending, paid, refunded, cancelled, failed, second]) {
      expect(done(decide(charge, rejected, now))).toEqual({ payments: [], returns: [] })
    }
  })

  it("is recorded in every state of a paid charge after it was carried out", () => {
    const failed = aFailedRefund(refunding, "conta encerrada")
    expect(done(decide(failed, returned, now))).toMatchObject({
      next: { _tag: "Refunded", refund: { id: refunding.refund.id }, returns: [{ id: refunding.refund.id }] },
      news: [{ kind: "refunded" }],
      unsent: "supersede",
    })
    const second = aRefundingCharge(failed)
    expect(after(second, returned)).toMatchObject({ _tag: "Refunded", returns: [{ id: refunding.refund.id }] })
    const elsewhere = after(paid, record(aReturn(paid.payment, { kind: "dispute" })))
    expect(done(decide(elsewhere, returned, now))).toEqual({
      payments: [],
      returns: [expect.objectContaining({ id: refunding.refund.id })],
    })
    for (const charge of [pending, cancelled]) {
      expect(done(decide(charge, returned, now))).toEqual({ payments: [], returns: [] })
    }
  })
})

describe("a refused call for a refund", () => {
  const requested = after(paid, { _tag: "RequestRefund" }) as RefundingCharge
  const refundId = requested.refund.id
  const hour = 3_600_000
  const refusal = (calledAt: number, hasLooked = true): Command => ({
    _tag: "RefuseRefund",
    refundId,
    calledAt,
    reason: "saldo insuficiente",
    hasLooked,
  })
  const called = (charge: Charge, at: number) => after(charge, { _tag: "CallRefund", refundId }, at) as RefundingCharge

  it("ends the refund if no other call is unanswered", () => {
    const failed = after(requested, refusal(now))
    expect(failed).toMatchObject({ _tag: "Paid", failedRefund: { id: refundId, rejection: "saldo insuficiente" } })
    expect(failed).not.toHaveProperty("failedRefund.unanswered")
    expect(failed).not.toHaveProperty("checkAt")
  })

  it("doesn't end the refund while another call can still be carried out", () => {
    const both = called(requested, now + 1)
    expect(both.refund.unanswered).toEqual([now, now + 1])
    for (const [first, second] of [
      [now, now + 1],
      [now + 1, now],
    ] as const) {
      const waiting = after(both, refusal(first), now + 5)
      expect(waiting).toMatchObject({ _tag: "Refunding", refund: { unanswered: [second] }, version: both.version + 1 })
      expect(waiting.checkAt).toBeGreaterThan(now + 5)
      expect(after(waiting, refusal(second), now + 6)).toMatchObject({ _tag: "Paid" })
    }
  })

  it("doesn't end the refund before the payment was looked up", () => {
    const waiting = after(requested, refusal(now, false))
    expect(waiting._tag).toBe("Refunding")
    expect(waiting).not.toHaveProperty("refund.unanswered")
  })

  it("ends the refund if the other call is unanswered for an hour; a new request keeps the id", () => {
    const late = now + hour + 1
    const both = called(requested, late)
    expect(after(both, refusal(late), now + hour - 1)._tag).toBe("Refunding")
    const failed = after(both, refusal(late), late)
    expect(failed).toMatchObject({ _tag: "Paid", failedRefund: { unanswered: [now] } })
    expect(failed.checkAt).toBeGreaterThan(late)
    const again = after(failed, { _tag: "RequestRefund" }, late + 9) as RefundingCharge
    expect(again.refund).toEqual({ id: refundId, attempt: 1, requestedAt: late + 9, unanswered: [now] })
  })

  it("ends the refund if the processor has recorded the refusal", () => {
    const both = called(requested, now + 1)
    const recordedRefusal = {
      _tag: "FinishRefund",
      refundId,
      amountCents: cents(1000),
      outcome: { _tag: "Rejected", reason: "não" },
    } as const
    const failed = after(both, recordedRefusal)
    expect(failed).toMatchObject({ _tag: "Paid", failedRefund: { id: refundId, rejection: "não" } })
    expect(failed).not.toHaveProperty("failedRefund.unanswered")
  })

  it("changes nothing if it is of another refund, or of a refund that has ended", () => {
    const other = { ...refusal(now), refundId: "R?" } as Command
    for (const charge of [requested, paid, pending, refunded]) {
      expect(done(decide(charge, other, now))).toEqual({ payments: [], returns: [] })
    }
  })

  it("is not followed by another call once the whole payment went back", () => {
    const row = aReturn(paid.payment, { kind: "dispute" })
    const back = after(requested, record(row))
    const call = { _tag: "CallRefund", refundId } as const
    // An unanswered call can have returned the money a second time.
    expect(done(decide(back, call, now + hour - 1))).toEqual({ payments: [], returns: [] })
    expect(after(back, call, now + hour)).toMatchObject({ _tag: "Refunded", returns: [row] })
  })
})

const record = (row: Return): Command => ({ _tag: "RecordReturn", returned: row })

describe("a return made elsewhere", () => {
  it("is recorded, raises the version and is published if it is of a part", () => {
    const row = half(paid)
    expect(done(decide(paid, record(row), now))).toEqual({
      next: { ...paid, version: 3, updatedAt: now, returns: [row] },
      payments: [],
      returns: [row],
      news: [{ kind: "part-refunded", returned: row }],
    })
  })

  it("makes the charge refunded at the time of the last return if the whole payment went back", () => {
    const row = aReturn(paid.payment, { kind: "dispute" })
    const back = done(decide(paid, record(row), now))
    expect(back).toMatchObject({
      next: { _tag: "Refunded", refundedAt: row.returnedAt, returns: [row] },
      returns: [row],
      news: [{ kind: "refunded" }],
      unsent: "supersede",
    })
    expect(back.next).not.toHaveProperty("refund")
  })

  it("makes the charge refunded after both halves went back, in any order", () => {
    const first = half(paid, { id: "A", returnedAt: now - 10 })
    const second = half(paid, { id: "B", returnedAt: now - 20 })
    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const back = after(after(paid, record(one)), record(other))
      expect(back).toMatchObject({ _tag: "Refunded", refundedAt: now - 10, returns: [one, other] })
    }
  })

  it("makes the charge refunded even if a stale commit has recorded the second half", () => {
    const rows = [half(paid, { id: "A" }), half(paid, { id: "B" })]
    const found = { ...paid, returns: rows }
    for (const row of rows) {
      expect(done(decide(found, record(row), now))).toMatchObject({
        next: { _tag: "Refunded", returns: rows },
        returns: [],
        news: [{ kind: "refunded" }],
      })
    }
  })

  it("changes nothing if it is known", () => {
    const row = half(paid)
    expect(done(decide({ ...paid, returns: [row] }, record(row), now))).toEqual({ payments: [], returns: [] })
  })

  it("is recorded without a move if it is of another payment", () => {
    for (const charge of everyState) {
      const row = aReturn(aPayment(charge, { endToEndId: anEndToEndId() }))
      expect(done(decide(charge, record(row), now))).toEqual({ payments: [], returns: [row] })
    }
  })

  it("ends our refund if it has the refund's id", () => {
    const row = aReturn(paid.payment, { id: refunding.refund.id, kind: "refund", returnedAt: now - 1 })
    const back = after(refunding, record(row))
    expect(back).toMatchObject({ _tag: "Refunded", refundedAt: now - 1, refund: refunding.refund, returns: [row] })
  })

  it("doesn't end our refund if it has the refund's id but is of another payment", () => {
    const row = aReturn(aPayment(paid), { id: refunding.refund.id })
    expect(done(decide(refunding, record(row), now))).toEqual({ payments: [], returns: [row] })
  })

  it("doesn't end a refund under way if it has another id", () => {
    const row = aReturn(paid.payment)
    const waiting = after(refunding, record(row))
    expect(waiting).toMatchObject({ _tag: "Refunding", returns: [row], checkAt: refunding.checkAt })
    const reject: Command = {
      _tag: "FinishRefund",
      refundId: refunding.refund.id,
      amountCents: refunding.payment.amountCents,
      outcome: { _tag: "Rejected", reason: "saldo devolvido" },
    }
    const back = done(decide(waiting, reject, now))
    expect(back).toMatchObject({
      next: { _tag: "Refunded", refundedAt: row.returnedAt, returns: [row] },
      returns: [],
      news: [{ kind: "refunded" }],
    })
    expect(back.next).not.toHaveProperty("refund")
    const partlyReturned = after(after(refunding, record(half(paid))), reject)
    expect(partlyReturned).toMatchObject({ _tag: "Paid", returns: [{ amountCents: 500 }] })
  })

  it("is published again with the end of the refund under way, before its event, if it is of a part", () => {
    const rows = ["A", "B"].map((id) => half(paid, { id }))
    const parts = rows.map((returned) => ({ kind: "part-refunded", returned }))
    const rejected: Command = {
      _tag: "FinishRefund",
      refundId: refunding.refund.id,
      amountCents: refunding.payment.amountCents,
      outcome: { _tag: "Rejected", reason: "saldo insuficiente" },
    }
    const [waiting, gone] = [1, 2].map((count) =>
      rows
        .slice(0, count)
        .map(record)
        .reduce((c, one) => after(c, one), refunding as Charge),
    )
    expect(waiting?._tag).toBe("Refunding")
    expect(done(decide(waiting ?? paid, rejected, now))).toMatchObject({
      next: { _tag: "Paid" },
      news: [parts[0], { kind: "refund-failed" }],
      unsent: "restore",
    })
    expect(done(decide(gone ?? paid, rejected, now))).toMatchObject({
      next: { _tag: "Refunded" },
      news: [...parts, { kind: "refunded" }],
      unsent: "supersede",
    })
  })

  it("is recorded besides the return of our own refund", () => {
    const own = aReturn(paid.payment, { id: refunding.refund.id, kind: "refund" })
    // A stale commit has recorded the row.
    const found = { ...refunding, returns: [half(paid), own] }
    const finish: Command = {
      _tag: "FinishRefund",
      refundId: refunding.refund.id,
      amountCents: refunding.payment.amountCents,
      outcome: { _tag: "Returned", returnedAt: own.returnedAt },
    }
    expect(done(decide(found, finish, now))).toMatchObject({ next: { returns: found.returns }, returns: [] })
  })
})

describe("a cancellation", () => {
  it("cancels a pending charge and says who did it, expired or not", () => {
    for (const at of [now, pending.watchUntil + 1]) {
      expect(done(decide({ ...pending, checkAt: 5 }, { _tag: "Cancel", by: "host" }, at))).toEqual({
        next: { ...pending, _tag: "Cancelled", version: 2, updatedAt: at, cancelledAt: at, cancelledBy: "host" },
        payments: [],
        returns: [],
        news: [{ kind: "cancelled", by: "host" }],
      })
    }
  })

  it("changes nothing if the charge is cancelled", () => {
    expect(done(decide(cancelled, { _tag: "Cancel", by: "host" }, now))).toEqual({ payments: [], returns: [] })
  })

  it("is refused for a charge that was ever paid", () => {
    for (const charge of [paid, refunding, refunded]) {
      expect(refusalTag(decide(charge, { _tag: "Cancel", by: "host" }, now))).toBe("ChargeAlreadyPaid")
    }
  })
})
