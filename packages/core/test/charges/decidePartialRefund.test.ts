import {
  type Charge,
  type PaidCharge,
  parsePartialRefund,
  type PartialRefund,
  type PartialRefundRequest,
  partialRefundStatus,
  refundableCents,
  type Return,
  returnedCents,
} from "@pixcharge/core/charges"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import { requestPartialRefund } from "../../src/model/charge/decidePartialRefund.ts"
import { livePart } from "../../src/model/charge/Charge.ts"
import { withPart } from "../../src/model/charge/PartialRefund.ts"
import { isSameRefund, lateRefundMs, partialRefundId, unansweredForMs } from "../../src/model/charge/Refund.ts"
import type { Transition } from "../../src/model/charge/Transition.ts"
import {
  aCancelledCharge,
  aFailedRefund,
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
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const now = fixtureNow + 300_000
const pending = aPendingCharge({ amountCents: cents(1000) })
const paid = aPaidCharge(pending)
/** The end of the 90th day after the payment, in Brasília. */
const last = Date.parse("2026-09-02T02:59:59.999Z")

const request = (key: string, amountCents: number): PartialRefundRequest => ({ key, amountCents: cents(amountCents) })

const requestTransition = (charge: Charge, key: string, amountCents: number, at = now): Transition =>
  Result.getOrThrow(requestPartialRefund(charge, request(key, amountCents), at))

const afterRequest = (charge: Charge, key: string, amountCents: number, at = now): PaidCharge =>
  requestTransition(charge, key, amountCents, at).next as PaidCharge

const refusal = (charge: Charge, key: string, amountCents: number, at = now) => {
  const result = requestPartialRefund(charge, request(key, amountCents), at)
  return Result.isFailure(result) ? result.failure : undefined
}

const done = (charge: Charge, command: Command, at = now): Transition => Result.getOrThrow(decide(charge, command, at))
const after = (charge: Charge, command: Command, at = now): Charge => done(charge, command, at).next ?? charge

const partOf = (charge: Charge, key: string): PartialRefund => {
  const part = charge.partialRefunds?.find((one) => one.key === key)
  if (part === undefined) throw new Error(`expected a partial refund with the key ${key}`)
  return part
}

const returned = (charge: Charge, key: string, at = now): Command => {
  const { refund, amountCents } = partOf(charge, key)
  return {
    _tag: "FinishRefund",
    refundId: refund.id,
    amountCents,
    outcome: { _tag: "Returned", returnedAt: at },
  }
}

const refused = (charge: Charge, key: string, at = now): Command => ({
  _tag: "RefuseRefund",
  refundId: partOf(charge, key).refund.id,
  calledAt: partOf(charge, key).refund.unanswered?.at(-1) ?? at,
  reason: "no balance",
  hasLooked: true,
})

const idOf = (key: string, attempt = 1): string => partialRefundId(paid.payment, key, attempt)

const partUnderWay = afterRequest(paid, "a", 400)
const partlyRefunded = after(partUnderWay, returned(partUnderWay, "a")) as PaidCharge

describe("a request for a partial refund", () => {
  it.each(["a", "~", "!".repeat(100), "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"])("accepts the key %s", (key) => {
    expect(Result.getOrThrow(parsePartialRefund({ key, amountCents: 1 }))).toEqual({ key, amountCents: 1 })
  })

  it.each([["", " ", "a b", "a\n", "é", "!".repeat(101), 7, undefined, null]].flat())("refuses the key %j", (key) => {
    const parsed = parsePartialRefund({ key: key as string, amountCents: 1 })
    expect(Result.isFailure(parsed) && parsed.failure).toMatchObject({ field: "key" })
  })

  it.each([0, -1, 1.5, Number.NaN, 1e12, "1", undefined])("refuses the amount %s", (amountCents) => {
    const parsed = parsePartialRefund({ key: "a", amountCents: amountCents as number })
    expect(Result.isFailure(parsed) && parsed.failure).toMatchObject({ field: "amountCents" })
  })
})

it("partial refunds are sorted by request time, then by key", () => {
  const part = (key: string, requestedAt: number): PartialRefund => ({
    key,
    amountCents: cents(1),
    requestedAt,
    refund: { id: key, attempt: 1, requestedAt },
  })
  const parts = ["c", "a", "d", "b"].map((key) => part(key, 2)).concat(part("z", 1))
  const sorted = parts.reduce<ReadonlyArray<PartialRefund>>(withPart, [])
  expect(sorted.map(({ key }) => key)).toEqual(["z", "a", "b", "c", "d"])
  expect(withPart(sorted, { ...part("b", 2), amountCents: cents(7) }).map(({ key }) => key)).toEqual(
    sorted.map(({ key }) => key),
  )
})

describe("a partial refund", () => {
  it("starts under its own id, and the charge stays paid", () => {
    const refund = { id: idOf("a"), attempt: 1, requestedAt: now, unanswered: [now] }
    const part = { key: "a", amountCents: 400, requestedAt: now, refund }
    expect(requestTransition(paid, "a", 400)).toEqual({
      next: { ...paid, version: 3, updatedAt: now, partialRefunds: [part], checkAt: now + 2_000 },
      payments: [],
      returns: [],
      partialRefund: part,
    })
  })

  it("is recorded as our return once it is carried out, and the charge stays paid", () => {
    const row = aReturn(paid.payment, {
      id: idOf("a"),
      kind: "refund",
      amountCents: cents(400),
      returnedAt: now,
    })
    expect(done(partUnderWay, returned(partUnderWay, "a"))).toMatchObject({
      next: { _tag: "Paid", returns: [row] },
      returns: [row],
    })
    expect(partlyRefunded).not.toHaveProperty("checkAt")
    expect(partialRefundStatus(partOf(partlyRefunded, "a"), partlyRefunded.returns)).toBe("returned")
    expect(refundableCents(paid, now)).toBe(1000)
    expect(refundableCents(partUnderWay, now)).toBe(600)
    expect(refundableCents(partlyRefunded, now)).toBe(600)
  })

  it("has no unanswered calls once it is carried out", () => {
    expect(partOf(partUnderWay, "a").refund.unanswered).toEqual([now])
    expect(partOf(partlyRefunded, "a").refund).not.toHaveProperty("unanswered")
  })

  it("makes the charge refunded and publishes that after the part if it returns the rest", () => {
    const rest = afterRequest(partlyRefunded, "b", 600, now + 9)
    expect(rest.checkAt).toBe(now + 2_009)
    const back = done(rest, returned(rest, "b", now + 20))
    expect(back).toMatchObject({
      next: { _tag: "Refunded", refundedAt: now + 20, returns: [{ amountCents: 400 }, { amountCents: 600 }] },
      news: [{ kind: "part-refunded", key: "b", returned: { amountCents: 600 } }, { kind: "refunded" }],
      unsent: "supersede",
    })
    expect(back.next).not.toHaveProperty("checkAt")
    const again = done(back.next as Charge, returned(rest, "b", now + 20))
    expect(again).toEqual({ payments: [], returns: [] })
    expect(refundableCents(back.next as Charge, now)).toBe(0)
  })

  it("changes nothing when it is requested again with the same cents", () => {
    expect(requestTransition(partUnderWay, "a", 400)).toEqual({ payments: [], returns: [] })
    expect(requestTransition(partlyRefunded, "a", 400, now + 180 * 86_400_000)).toEqual({ payments: [], returns: [] })
    const rest = afterRequest(partlyRefunded, "b", 600)
    expect(requestTransition(rest, "a", 400)).toEqual({ payments: [], returns: [] })
    const refunded = after(rest, returned(rest, "b"))
    expect(requestTransition(refunded, "b", 600)).toEqual({ payments: [], returns: [] })
  })

  it("conflicts with other cents under its key, in every state", () => {
    for (const charge of [partUnderWay, partlyRefunded, after(partUnderWay, refused(partUnderWay, "a"))]) {
      expect(refusal(charge, "a", 401)?._tag).toBe("PartialRefundConflict")
    }
  })

  it("is refused for more cents than are left; the error names the rest", () => {
    expect(refusal(paid, "a", 1001)).toMatchObject({ _tag: "RefundExceedsRest", leftCents: 1000 })
    expect(refusal(partlyRefunded, "b", 601)).toMatchObject({ _tag: "RefundExceedsRest", leftCents: 600 })
    const dispute = aReturn(paid.payment, { kind: "dispute", amountCents: cents(550) })
    const disputed = after(partlyRefunded, { _tag: "RecordReturn", returned: dispute })
    expect(refusal(disputed, "b", 51)).toMatchObject({ _tag: "RefundExceedsRest", leftCents: 50 })
    expect(refusal(aRefundedCharge(aRefundingCharge(paid)), "a", 1)).toMatchObject({ leftCents: 0 })
  })

  it("is refused for a charge that is unpaid or being refunded in full", () => {
    expect(refusal(pending, "a", 1)?._tag).toBe("ChargeNotPaid")
    expect(refusal(aCancelledCharge(pending), "a", 1)?._tag).toBe("ChargeCancelled")
    expect(refusal(aRefundingCharge(paid), "a", 1)?._tag).toBe("ChargeRefunding")
  })

  it("can begin until the end of the 90th day after the payment", () => {
    expect(refusal(paid, "a", 1, last)).toBeUndefined()
    expect(refusal(paid, "a", 1, last + 1)).toMatchObject({ _tag: "RefundWindowClosed", closedAt: last })
  })

  it("is refused while another partial refund is under way; the error names that refund's key", () => {
    expect(refusal(partUnderWay, "b", 1)).toMatchObject({ _tag: "PartialRefundUnderWay", key: "a" })
    expect(JSON.stringify(refusal(partUnderWay, "b", 1))).not.toContain('"a"')
  })

  it("prevents a full refund while it is under way and after its return", () => {
    const full: Command = { _tag: "RequestRefund" }
    expect(Result.isFailure(decide(partUnderWay, full, now)) && decide(partUnderWay, full, now)).toMatchObject({
      failure: { _tag: "ChargePartlyReturned", returnedCents: 0 },
    })
    expect(decide(partlyRefunded, full, now)).toMatchObject({
      failure: { _tag: "ChargePartlyReturned", returnedCents: 400 },
    })
    const failed = after(partUnderWay, refused(partUnderWay, "a"))
    expect(after(failed, full)).toMatchObject({ _tag: "Refunding", refund: { id: aRefundId(paid.payment) } })
  })

  it("fails with the processor's reason, and keeps its id for a new request", () => {
    const failed = after(partUnderWay, refused(partUnderWay, "a")) as PaidCharge
    expect(partOf(failed, "a")).toMatchObject({ rejection: "no balance", refund: { attempt: 1 } })
    expect(failed).not.toHaveProperty("checkAt")
    expect(refundableCents(failed, now)).toBe(1000)
    const other = afterRequest(failed, "b", 1000, now + 5)
    expect(partOf(other, "b").refund.id).toBe(idOf("b"))
    const again = afterRequest(failed, "a", 400, now + 5)
    const refund = { id: idOf("a"), attempt: 1, requestedAt: now + 5, unanswered: [] }
    expect(partOf(again, "a")).toEqual({ key: "a", amountCents: 400, requestedAt: now, refund })
    const next = after(again, { _tag: "CallRefund", refundId: idOf("a"), isRefused: true }, now + 7)
    const second = { id: idOf("a", 2), attempt: 2, requestedAt: now + 7, unanswered: [now + 7] }
    expect(partOf(next, "a")).toEqual({ key: "a", amountCents: 400, requestedAt: now, refund: second })
  })
})

describe("a refusal of a partial refund", () => {
  const refundId = partOf(partUnderWay, "a").refund.id
  const called = after(partUnderWay, { _tag: "CallRefund", refundId }, now + 5_000) as PaidCharge

  it("follows a call that doesn't change the next check", () => {
    expect(called.checkAt).toBe(partUnderWay.checkAt)
    expect(partOf(called, "a").refund.unanswered).toEqual([now, now + 5_000])
  })

  it("doesn't end the refund while another call can still be carried out", () => {
    expect(after(called, refused(called, "a"), now + 6_000)).toMatchObject({
      partialRefunds: [{ refund: { unanswered: [now] } }],
      checkAt: now + 9_000,
    })
  })

  const late = now + unansweredForMs + 5_000
  const failed = after(called, refused(called, "a"), late) as PaidCharge

  it("doesn't end the charge, even if the whole payment went back elsewhere", () => {
    const all = aReturn(paid.payment, { amountCents: cents(1000) })
    const whole = after(called, { _tag: "RecordReturn", returned: all })
    const waiting = after(whole, refused(whole, "a"), now + 6_000)
    expect(waiting).toMatchObject({ _tag: "Paid", partialRefunds: [{ refund: { unanswered: [now] } }] })
    expect(livePart(waiting)?.key).toBe("a")
  })

  it("ends the refund an hour after the last unanswered call, and blocks other refunds for a day", () => {
    expect(partOf(failed, "a")).toMatchObject({ rejection: "no balance", refund: { unanswered: [now] } })
    expect(failed.checkAt).toBeGreaterThan(late)
    expect(refusal(failed, "b", 1, late)?._tag).toBe("PartialRefundUnderWay")
    expect(decide(failed, { _tag: "RequestRefund" }, late)).toMatchObject({ failure: { _tag: "ChargePartlyReturned" } })
    expect(refundableCents(failed, late)).toBe(600)
    const days = now + lateRefundMs + 1
    expect(refusal(failed, "b", 1, days)).toBeUndefined()
    expect(after(failed, { _tag: "RequestRefund" }, days)._tag).toBe("Refunding")
    expect(refundableCents(failed, days)).toBe(1000)
  })

  it("doesn't prevent returns elsewhere from making the charge refunded", () => {
    const all = aReturn(paid.payment, { amountCents: cents(1000) })
    const whole = after(failed, { _tag: "RecordReturn", returned: all }, late)
    expect(whole._tag).toBe("Refunded")
    expect(done(whole, { _tag: "RequestRefund" }, late)).toEqual({ payments: [], returns: [] })
  })

  it("leaves the refund its id while a call is unanswered", () => {
    expect(partOf(afterRequest(failed, "a", 400, late + 1), "a").refund).toEqual({
      id: refundId,
      attempt: 1,
      requestedAt: late + 1,
      unanswered: [now],
    })
  })

  it("is forgotten once the refund was carried out after all", () => {
    const row = aReturn(paid.payment, { id: refundId, kind: "refund", amountCents: cents(400) })
    const back = after(failed, { _tag: "RecordReturn", returned: row }, late + 9)
    expect(partialRefundStatus(partOf(back, "a"), back.returns)).toBe("returned")
    expect(partOf(back, "a")).not.toHaveProperty("rejection")
    expect(back).not.toHaveProperty("checkAt")
  })
})

describe("the return of a partial refund", () => {
  it("is recognised by its id, ignoring case, and ends the refund", () => {
    for (const id of [
      partOf(partUnderWay, "a").refund.id.toUpperCase(),
      partOf(partUnderWay, "a").refund.id.toLowerCase(),
    ]) {
      const row = aReturn(paid.payment, { id, kind: "refund", amountCents: cents(400) })
      const back = after(partUnderWay, { _tag: "RecordReturn", returned: row })
      expect(livePart(back)).toBeUndefined()
      expect(partialRefundStatus(partOf(back, "a"), back.returns)).toBe("returned")
      expect(done(back, returned(partUnderWay, "a"))).toEqual({ payments: [], returns: [] })
      expect(after(afterRequest(back, "b", 600), returned(afterRequest(back, "b", 600), "b"))._tag).toBe("Refunded")
    }
  })
})

describe("after a restored backup or a lost commit", () => {
  const row = (id: string, amountCents: number) =>
    aReturn(paid.payment, { id, kind: "refund", amountCents: cents(amountCents), returnedAt: now })
  const restored = (...returns: ReadonlyArray<Return>): PaidCharge => ({ ...paid, returns })

  it("a key has the same id as before, and no two keys share an id, ignoring case", () => {
    expect(partOf(afterRequest(paid, "a", 400, now + 9), "a").refund.id).toBe(partOf(partUnderWay, "a").refund.id)
    const keys = Array.from({ length: 3_000 }, (_, index) => `Devolucao-${index}`).flatMap((key) => [
      key,
      key.toLowerCase(),
    ])
    const ids = keys
      .map((key) => partialRefundId(paid.payment, key, 1))
      .concat(keys.map((key) => idOf(key, 36 ** 4 - 1)))
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{1,35}$/)
    expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length)
    const other = aPayment(pending, { endToEndId: "E".padEnd(32, "0") })
    expect(partialRefundId(other, "a", 1)).not.toBe(idOf("a"))
    expect(partialRefundId({ endToEndId: other.endToEndId.toLowerCase() }, "a", 1)).toBe(partialRefundId(other, "a", 1))
  })

  it("a key whose return the bank shows counts as returned without a call, after any attempt and in any state", () => {
    const whole = aRefundedCharge(aRefundingCharge(paid))
    for (const attempt of [1, 2, 40]) {
      const back = row(idOf("a", attempt).toUpperCase(), 400)
      for (const charge of [restored(back), { ...whole, returns: [back, row("D1", 600)] }]) {
        const { next, partialRefund, ...rest } = requestTransition(charge, "a", 400, now + 9)
        expect(rest).toEqual({ payments: [], returns: [] })
        expect(next).toMatchObject({ _tag: charge._tag, version: charge.version + 1, partialRefunds: [partialRefund] })
        expect(partialRefund).toMatchObject({ key: "a", amountCents: 400, refund: { id: back.id, attempt } })
        expect(partialRefundStatus(partOf(next as Charge, "a"), charge.returns)).toBe("returned")
        expect(requestTransition(next as Charge, "a", 400)).toEqual({ payments: [], returns: [] })
      }
    }
  })

  it("a refusal of the first attempt doesn't fail a part that a later attempt returned", () => {
    const again = { ...partUnderWay, returns: [] }
    const known = after(again, { _tag: "RecordReturn", returned: row(idOf("a", 2), 400) })
    expect(livePart(known)).toBeUndefined()
    for (const charge of [known, { ...again, returns: known.returns }]) {
      const outcome = { _tag: "Rejected", reason: "no" } as const
      const rest = after(charge, { _tag: "FinishRefund", refundId: idOf("a"), amountCents: cents(400), outcome })
      expect(partialRefundStatus(partOf(rest, "a"), rest.returns)).toBe("returned")
      expect(partOf(rest, "a")).toMatchObject({ refund: { id: idOf("a") } })
      expect(partOf(rest, "a")).not.toHaveProperty("rejection")
    }
  })

  it("a new key begins a new refund, even if money went back under another key", () => {
    const begun = requestTransition(restored(row(idOf("a"), 400)), "b", 400)
    expect(begun.partialRefund).toMatchObject({ key: "b", refund: { id: idOf("b"), unanswered: [now] } })
    expect(livePart(begun.next as Charge)?.key).toBe("b")
  })

  it("a key with a return of other cents conflicts, until those cents are requested", () => {
    const back = row(idOf("a"), 300)
    expect(refusal(restored(back), "a", 400)?._tag).toBe("PartialRefundConflict")
    const failed = done(partUnderWay, { ...returned(partUnderWay, "a"), amountCents: cents(300) } as Command)
      .next as PaidCharge
    expect(failed).toMatchObject({ _tag: "Paid", returns: [{ id: idOf("a"), amountCents: 300 }] })
    expect(partialRefundStatus(partOf(failed, "a"), failed.returns)).toBe("failed")
    expect(refusal(failed, "a", 400)?._tag).toBe("PartialRefundConflict")
    const right = requestTransition(failed, "a", 300)
    expect(right.partialRefund).toMatchObject({ key: "a", amountCents: 300, requestedAt: now })
    expect(refundableCents(right.next as Charge, now)).toBe(700)
  })

  it("a return of other cents doesn't end the partial refund whose id it has", () => {
    const other = { ...partUnderWay, returns: [row(idOf("a"), 300)] }
    expect(livePart(other)?.key).toBe("a")
    expect(after(partUnderWay, { _tag: "RecordReturn", returned: row(idOf("a"), 300) })).toMatchObject({
      _tag: "Paid",
      returns: [{ amountCents: 300 }],
      partialRefunds: [{ key: "a", amountCents: 400 }],
    })
    expect(partialRefundStatus(partOf(other, "a"), other.returns)).toBe("refunding")
  })
})

describe("the refundable amount", () => {
  it("is zero after the end of the 90th day", () => {
    expect([last, last + 1].map((at) => refundableCents(partlyRefunded, at))).toEqual([600, 0])
  })
})

describe("a partial refund together with other refunds and returns", () => {
  it("a failed full refund that can still be carried out blocks new refunds for a day", () => {
    const refunding = aRefundingCharge(paid)
    const failed = aFailedRefund({ ...refunding, refund: { ...refunding.refund, unanswered: [now] } }, "no answer")
    expect(refusal(failed, "a", 1, now + lateRefundMs)?._tag).toBe("ChargeRefunding")
    expect(refundableCents(failed, now)).toBe(0)
    expect(refusal(failed, "a", 1, now + lateRefundMs + 1)).toBeUndefined()
  })

  it("returns elsewhere don't end a partial refund under way, even if they return everything", () => {
    const all = aReturn(paid.payment, { amountCents: cents(1000) })
    const waiting = after(partUnderWay, { _tag: "RecordReturn", returned: all })
    expect(waiting).toMatchObject({ _tag: "Paid", returns: [all], checkAt: partUnderWay.checkAt })
    expect(livePart(waiting)?.key).toBe("a")
    // No further call is needed, but the unanswered call can still be carried out.
    const call: Command = { _tag: "CallRefund", refundId: partOf(partUnderWay, "a").refund.id }
    expect(done(waiting, call)).toEqual({ payments: [], returns: [] })
    const back = done(waiting, call, now + unansweredForMs)
    expect(back).toMatchObject({ next: { _tag: "Refunded", refundedAt: all.returnedAt }, news: [{ kind: "refunded" }] })
    expect(after(waiting, refused(partUnderWay, "a"))).toMatchObject({ _tag: "Refunded" })
  })

  it("a partial refund fails without a further call if too little money is left", () => {
    const most = aReturn(paid.payment, { amountCents: cents(601) })
    const waiting = after(partUnderWay, { _tag: "RecordReturn", returned: most })
    const call: Command = { _tag: "CallRefund", refundId: partOf(partUnderWay, "a").refund.id }
    expect(done(waiting, call, now + 1)).toEqual({ payments: [], returns: [] })
    const failed = after(waiting, call, now + unansweredForMs)
    expect(failed).toMatchObject({ _tag: "Paid", partialRefunds: [{ rejection: expect.any(String) }] })
    const exact = aReturn(paid.payment, { amountCents: cents(600) })
    const enough = after(partUnderWay, { _tag: "RecordReturn", returned: exact })
    expect(partOf(after(enough, call, now + 1), "a").refund.unanswered).toEqual([now, now + 1])
  })

  it("a return recorded by a stale commit ends its partial refund, and makes the charge refunded once all went back", () => {
    const own = aReturn(paid.payment, {
      id: partOf(partUnderWay, "a").refund.id,
      kind: "refund",
      amountCents: cents(400),
    })
    const recorded = { ...partUnderWay, version: partUnderWay.version + 1, returns: [own] }
    expect(livePart(recorded)).toBeUndefined()
    expect(done(recorded, returned(partUnderWay, "a"))).toEqual({ payments: [], returns: [] })
    expect(refusal(recorded, "b", 601)).toMatchObject({ leftCents: 600 })
    const rest = aReturn(paid.payment, { amountCents: cents(600) })
    const whole = { ...recorded, returns: [own, rest] }
    expect(after(whole, { _tag: "RecordReturn", returned: own })).toMatchObject({ _tag: "Refunded" })
    expect(after(whole, returned(partUnderWay, "a"))).toMatchObject({ _tag: "Refunded" })
  })

  it("a late answer about a past attempt counts as a return, but not as a refusal", () => {
    const again = afterRequest(after(partUnderWay, refused(partUnderWay, "a")), "a", 400, now + 5)
    const second = after(again, { _tag: "CallRefund", refundId: idOf("a"), isRefused: true }, now + 7)
    const outcome = { _tag: "Rejected", reason: "no" } as const
    const late = { _tag: "FinishRefund", refundId: idOf("a"), amountCents: cents(400), outcome } as const
    expect(done(second, late)).toEqual({ payments: [], returns: [] })
    const back = done(second, returned(partUnderWay, "a"))
    expect(back.returns).toMatchObject([{ id: idOf("a"), kind: "refund", amountCents: 400 }])
    expect(partialRefundStatus(partOf(back.next as Charge, "a"), (back.next as Charge).returns)).toBe("returned")
  })
})

/** A bank that carries out each call at most once, at any time, within the amount paid. */
const makeBank = () => {
  const made = new Map<string, number>()
  const dead = new Set<string>()
  const total = () => [...made.values()].reduce((sum, one) => sum + one, 0)
  return {
    total,
    has: (id: string) => made.has(id),
    /** The refunds carried out for this key. */
    made: (key: string) => [...made].filter(([id]) => isSameRefund({ id }, { id: idOf(key) })).map(([, sum]) => sum),
    cents: (id: string) => cents(made.get(id) ?? 0),
    /** Records the id as refused: it is never carried out. */
    refuse: (id: string) => void dead.add(id),
    execute: (id: string, amountCents: number): boolean => {
      if (made.has(id) || dead.has(id) || total() + amountCents > paid.payment.amountCents) return false
      made.set(id, amountCents)
      return true
    },
  }
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("ask" as const),
      key: fc.constantFrom("a", "b", "c"),
      amountCents: fc.constantFrom(1, 300, 300, 500, 700, 1000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("askAll" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("call" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("callNext" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("look" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restore" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("refuse" as const), which: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("execute" as const), tells: fc.boolean(), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("outside" as const), amountCents: fc.constantFrom(1, 200, 1000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 60_000, 3_600_000, 9e7) }),
  },
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Runs a history of refunds and collects the rules that it breaks. */
const runHistory = (steps: ReadonlyArray<Step>) => {
  const bank = makeBank()
  /** The calls that the bank can still carry out, by id. */
  const calls = new Map<string, { readonly amountCents: number; at: number }>()
  let at = now
  let outside = 0
  let isRestored = false
  let charge: Charge = paid
  const broken: Array<string> = []

  const underWay = () => {
    if (charge._tag === "Refunding") return { refund: charge.refund, amountCents: charge.payment.amountCents }
    return livePart(charge)
  }

  const move = (transition: Transition): void => {
    const before = charge
    const { next } = transition
    if (next !== undefined) {
      if (next.version !== before.version + 1) broken.push("moves by one version")
      charge = next
    }
    for (const row of before.returns) if (!charge.returns.includes(row)) broken.push("keeps returns")
    for (const part of before.partialRefunds ?? []) {
      const kept = charge.partialRefunds?.find(({ key }) => key === part.key)
      if (kept === undefined || (kept.amountCents !== part.amountCents && !isRestored)) broken.push("keeps parts")
    }
    const back = returnedCents(paid.payment.endToEndId, charge.returns)
    if (back > 1000) broken.push("returns no more than was paid")
    const isWhole = back >= 1000
    if (charge._tag === "Refunded" && !isWhole) broken.push("is refunded only once all went back")
    if (charge._tag === "Paid" && isWhole && livePart(charge) === undefined)
      broken.push("is refunded once all went back")
    for (const part of charge.partialRefunds ?? []) {
      const isReturned = partialRefundStatus(part, charge.returns) === "returned"
      if (isReturned && !bank.made(part.key).includes(part.amountCents))
        broken.push("shows as returned only what the bank returned")
    }
    const published = transition.news?.some(({ kind }) => kind === "refunded") === true
    if (published !== (next?._tag === "Refunded" && before._tag !== "Refunded")) broken.push("publishes the end once")
  }

  const begun = (idBefore: string | undefined): void => {
    const found = underWay()
    if (found === undefined || found.refund.id === idBefore) return
    const { id } = found.refund
    const open = [...calls].filter(([other, { at: calledAt }]) => other !== id && calledAt >= at - lateRefundMs)
    if (!isRestored && open.some(([other]) => !bank.has(other)))
      broken.push("begins only if no other refund can be carried out")
    const back = returnedCents(paid.payment.endToEndId, charge.returns)
    if (back + found.amountCents > 1000) broken.push("requests no more than is left")
    const calledAt = found.refund.unanswered?.at(-1)
    if (calledAt !== undefined) calls.set(id, { amountCents: found.amountCents, at: calledAt })
  }

  for (const one of steps) {
    const idBefore = underWay()?.refund.id
    switch (one.do) {
      case "wait":
        at += one.ms
        break
      case "ask": {
        const result = requestPartialRefund(charge, request(one.key, one.amountCents), at)
        if (Result.isSuccess(result)) move(result.success)
        break
      }
      case "askAll": {
        const result = decide(charge, { _tag: "RequestRefund" }, at)
        if (Result.isSuccess(result)) move(result.success)
        break
      }
      case "call": {
        if (idBefore === undefined) break
        move(done(charge, { _tag: "CallRefund", refundId: idBefore }, at))
        const { id, unanswered = [] } = underWay()?.refund ?? { id: undefined }
        const call = calls.get(idBefore) ?? { amountCents: underWay()?.amountCents ?? 0, at }
        if (id === idBefore) calls.set(id, { ...call, at: Math.max(call.at, ...unanswered) })
        break
      }
      case "callNext": {
        if (idBefore === undefined || bank.has(idBefore)) break
        bank.refuse(idBefore)
        calls.delete(idBefore)
        move(done(charge, { _tag: "CallRefund", refundId: idBefore, isRefused: true }, at))
        break
      }
      case "look": {
        if (idBefore === undefined || !bank.has(idBefore)) break
        const outcome = { _tag: "Returned", returnedAt: at } as const
        move(done(charge, { _tag: "FinishRefund", refundId: idBefore, amountCents: bank.cents(idBefore), outcome }, at))
        break
      }
      case "restore":
        isRestored = true
        charge = { ...paid, version: charge.version }
        break
      case "refuse": {
        const found = underWay()
        const calledAt = found?.refund.unanswered?.[one.which]
        if (found === undefined || calledAt === undefined) break
        // An answered call can't be carried out any more.
        const refundId = found.refund.id
        const rest = found.refund.unanswered?.filter((other) => other !== calledAt) ?? []
        const call = calls.get(refundId)
        if (call !== undefined) call.at = Math.max(...rest)
        if (rest.length === 0) calls.delete(refundId)
        move(
          done(charge, { _tag: "RefuseRefund", refundId, calledAt, reason: "no", hasLooked: !bank.has(refundId) }, at),
        )
        break
      }
      case "execute": {
        const [id, call] = [...calls][one.which % Math.max(1, calls.size)] ?? []
        if (id === undefined || call === undefined || !bank.execute(id, call.amountCents)) break
        const outcome = { _tag: "Returned", returnedAt: at } as const
        const row = aReturn(paid.payment, { id, kind: "refund", amountCents: cents(call.amountCents), returnedAt: at })
        if (one.tells) {
          move(done(charge, { _tag: "FinishRefund", refundId: id, amountCents: cents(call.amountCents), outcome }, at))
        } else move(done(charge, { _tag: "RecordReturn", returned: row }, at))
        break
      }
      case "outside": {
        outside += 1
        const id = `D${outside}`
        const amountCents = Math.min(one.amountCents, 1000 - bank.total())
        if (amountCents <= 0 || !bank.execute(id, amountCents)) break
        const row = aReturn(paid.payment, { id, amountCents: cents(amountCents), returnedAt: at })
        move(done(charge, { _tag: "RecordReturn", returned: row }, at))
      }
    }
    begun(idBefore)
  }
  for (const key of ["a", "b", "c"]) if (bank.made(key).length > 1) broken.push("returns a part once")
  return broken
}

describe("any history of full and partial refunds", () => {
  it("has one refund at a time, never exceeds the payment, and ends when the whole payment went back", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        expect(runHistory(steps)).toEqual([])
      }),
      { numRuns: process.env["LONG"] ? 50_000 : 700 },
    )
  })
})
