import type { Charge, PaymentException } from "@pixcharge/core/charges"
import { aPaidCharge, aPendingCharge, fixtureNow } from "@pixcharge/adapter-tests/fixtures"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { firstCallAt } from "../../src/model/charge/Refund.ts"
import { decideException, type ExceptionCommand } from "../../src/model/charge/PaymentException.ts"

it("firstCallAt returns the time of the first call while no other call is unanswered", () => {
  const refund = { id: "R1", attempt: 1, requestedAt: 5 }
  expect(firstCallAt({ ...refund, unanswered: [5] })).toBe(5)
  expect(firstCallAt({ ...refund, unanswered: [6] })).toBeUndefined()
  expect(firstCallAt({ ...refund, unanswered: [5, 6] })).toBeUndefined()
  expect(firstCallAt(refund)).toBeUndefined()
})

const now = fixtureNow + 300_000
const hour = 3_600_000

const moveCharge = (charge: Charge, command: Command, at = now): Charge =>
  Result.getOrThrow(decide(charge, command, at)).next ?? charge

const moveException = (exception: PaymentException, command: ExceptionCommand, at = now): PaymentException => {
  const { next } = Result.getOrThrow(decideException(exception, command, at))
  return next === undefined ? exception : { ...exception, state: next, version: exception.version + 1 }
}

const refuse = (refundId: string, calledAt: number): Command & ExceptionCommand => ({
  _tag: "RefuseRefund",
  refundId,
  calledAt,
  reason: "the id is in use",
  hasLooked: true,
})

const refunding = moveCharge(aPaidCharge(aPendingCharge()), { _tag: "RequestRefund" })
if (refunding._tag !== "Refunding") throw new Error("expected a refund under way")
const refundId = refunding.refund.id
const call = { _tag: "CallRefund", refundId } as const

/** The charge after this number of further calls, and when each was made. */
const withCalls = (count: number, at = (_: number) => now) => {
  const calledAt: Array<number> = []
  let charge: Charge = refunding
  for (let one = 0; one < count; one++) {
    const next = moveCharge(charge, call, at(one))
    const counted = next._tag === "Refunding" ? next.refund.unanswered?.at(-1) : undefined
    if (next !== charge && counted !== undefined) calledAt.push(counted)
    charge = next
  }
  return { charge, calledAt }
}

describe("unanswered calls for a refund", () => {
  it("are never forgotten, so refusals of later calls don't end the refund", () => {
    for (const count of [1, 15, 16, 17, 40, 200]) {
      const { charge, calledAt } = withCalls(count)
      let after = charge
      for (const one of calledAt) after = moveCharge(after, refuse(refundId, one))
      expect(after).toMatchObject({ _tag: "Refunding", refund: { id: refundId, unanswered: [now] } })
    }
  })

  it("are distinguished even in the same millisecond: a repeated refusal answers only one call", () => {
    const { charge, calledAt } = withCalls(1)
    const [second = 0] = calledAt
    expect(second).toBe(now + 1)
    const after = moveCharge(moveCharge(charge, refuse(refundId, second)), refuse(refundId, second))
    expect(after).toMatchObject({ _tag: "Refunding", refund: { unanswered: [now] } })
  })

  it("are limited in number, and resume once the old calls count as lost", () => {
    const { charge, calledAt } = withCalls(200)
    expect(calledAt.length).toBeLessThan(20)
    const later = moveCharge(charge, call, now + 2 * hour)
    expect(later).toMatchObject({ refund: { unanswered: [now, now + 2 * hour] } })
    // One of the old calls stays, because a new id could return the money twice.
    const failed = moveCharge(later, refuse(refundId, now + 2 * hour), now + 2 * hour)
    expect(failed).toMatchObject({ _tag: "Paid", failedRefund: { id: refundId, unanswered: [now] } })
    expect(moveCharge(failed, { _tag: "RequestRefund" }, now + 2 * hour)).toMatchObject({ refund: { id: refundId } })
  })

  it("don't delay a refusal longer if their recorded time is far in the future", () => {
    const { charge } = withCalls(1, () => now + 40 * 24 * hour)
    const later = now + 2 * hour
    const called = moveCharge(charge, call, later)
    expect(moveCharge(called, refuse(refundId, later), later)._tag).toBe("Paid")
  })

  it("are never forgotten for the refund of an exception", () => {
    const { payment } = aPaidCharge(aPendingCharge())
    const open: PaymentException = {
      payment,
      reason: "furtherPayment",
      state: { _tag: "Open" },
      version: 0,
      returns: [],
    }
    const requested = moveException(open, { _tag: "RequestRefund" })
    if (requested.state._tag !== "Refunding") throw new Error("expected a refund under way")
    const { id } = requested.state.refund
    let after = requested
    const calledAt: Array<number> = []
    for (let one = 0; one < 40; one++) {
      const next = moveException(after, { _tag: "CallRefund", refundId: id })
      const counted = next.state._tag === "Refunding" ? next.state.refund.unanswered?.at(-1) : undefined
      if (next !== after && counted !== undefined) calledAt.push(counted)
      after = next
    }
    // At most sixteen calls, including the request's own.
    expect(calledAt).toHaveLength(15)
    for (const one of calledAt) after = moveException(after, refuse(id, one))
    expect(after.state).toMatchObject({ _tag: "Refunding", refund: { id, unanswered: [now] } })
  })
})
