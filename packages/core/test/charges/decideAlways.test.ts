import type { Charge } from "@pixcharge/core/charges"
import { type Command, decide } from "../../src/model/charge/decide.ts"
import type { Transition } from "../../src/model/charge/Transition.ts"
import {
  aPartlyRefundedCharge,
  aPartialRefund,
  aPayment,
  aPendingCharge,
  arbitrary,
  aReturn,
  cents,
  fixtureNow,
} from "@pixcharge/adapter-tests/fixtures"
import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const now = fixtureNow + 300_000
const runs = process.env["LONG"] ? 20_000 : 1_000
const pending = aPendingCharge()

const partCents = (charge: Charge, refundId: string) =>
  charge.partialRefunds?.find(({ refund }) => refund.id === refundId)?.amountCents ??
  ("payment" in charge ? charge.payment.amountCents : cents(1))

const commandOn = (charge: Charge): fc.Arbitrary<Command> => {
  const own = "payment" in charge ? [charge.payment] : []
  const refundIds = [
    ...("refund" in charge && charge.refund ? [charge.refund.id] : ["R?"]),
    ...(charge.partialRefunds ?? []).map(({ refund }) => refund.id),
  ]
  const payment = fc.oneof(
    fc.constantFrom(...own, aPayment(charge)),
    arbitrary.chargePayment({ ...pending, ...charge, _tag: "Pending" }),
  )
  const row = fc
    .record({
      of: fc.constantFrom(...own, aPayment(charge)),
      id: fc.constantFrom("A", "B", "C", ...refundIds, ...charge.returns.map(({ id }) => id)),
      share: fc.constantFrom(0.3, 0.5, 1),
      kind: fc.constantFrom("refund" as const, "outside" as const, "dispute" as const),
    })
    .map(({ of, id, share, kind }) =>
      aReturn(of, { id, kind, amountCents: cents(Math.max(1, Math.floor(of.amountCents * share))) }),
    )
  return fc.oneof<fc.Arbitrary<Command>[]>(
    payment.map((one) => ({ _tag: "ConfirmPayment", payment: one })),
    row.map((returned) => ({ _tag: "RecordReturn", returned })),
    fc.constantFrom<Command>({ _tag: "RequestRefund" }, { _tag: "Cancel", by: "host" }),
    fc.constantFrom(...refundIds, "R?").map((refundId) => ({
      _tag: "FinishRefund",
      refundId,
      amountCents: partCents(charge, refundId),
      outcome: { _tag: "Returned", returnedAt: now },
    })),
    fc.constantFrom(...refundIds, "R?").map((refundId) => ({
      _tag: "FinishRefund",
      refundId,
      amountCents: partCents(charge, refundId),
      outcome: { _tag: "Rejected", reason: "não" },
    })),
    fc.constantFrom(...refundIds, "R?").map((refundId) => ({ _tag: "CallRefund", refundId })),
    fc.record({
      _tag: fc.constant("RefuseRefund"),
      refundId: fc.constantFrom(...refundIds, "R?"),
      calledAt: fc.constantFrom(now, now - 1),
      reason: fc.constant("não"),
      hasLooked: fc.boolean(),
    }),
  )
}

/** Adds partial refunds to a paid charge. */
const withParts = (charge: Charge): fc.Arbitrary<Charge> => {
  if (charge._tag !== "Paid" || charge.payment.amountCents < 2) return fc.constant(charge)
  const part = aPartialRefund(charge, { amountCents: cents(Math.ceil(charge.payment.amountCents / 2)) })
  const failed = { ...part, rejection: "não" }
  const unsettled = { ...failed, refund: { ...part.refund, unanswered: [now] } }
  const row = aReturn(charge.payment, { id: part.refund.id, kind: "refund", amountCents: part.amountCents })
  const partlyRefunded = aPartlyRefundedCharge(charge, part)
  return fc.constantFrom<Charge>(
    charge,
    partlyRefunded,
    aPartlyRefundedCharge(charge, failed),
    aPartlyRefundedCharge(charge, unsettled),
    {
      ...partlyRefunded,
      returns: [row],
    },
  )
}

const chargeAndCommand = arbitrary.charge
  .chain(withParts)
  .chain((charge) => fc.tuple(fc.constant(charge), commandOn(charge)))

const graph: Record<Charge["_tag"], ReadonlyArray<Charge["_tag"]>> = {
  Pending: ["Paid", "Cancelled"],
  Paid: ["Paid", "Refunding", "Refunded"],
  Refunding: ["Refunding", "Paid", "Refunded"],
  Refunded: [],
  Cancelled: [],
}

const freeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null) for (const part of Object.values(Object.freeze(value))) freeze(part)
  return value
}

const checkAll = (check: (charge: Charge, command: Command, transition: Transition) => void) =>
  fc.assert(
    fc.property(chargeAndCommand, ([charge, command]) => {
      const result = decide(freeze(charge), freeze(command), now)
      expect(decide(charge, command, now)).toEqual(result)
      if (Result.isSuccess(result)) check(charge, command, result.success)
    }),
    { numRuns: runs },
  )

describe("every command on every charge", () => {
  it("gives the same answer again and leaves its input unchanged", () => {
    checkAll(() => undefined)
  })

  it("follows the graph of states, one version at a time, and changes no term", () => {
    checkAll((charge, _, { next }) => {
      if (next === undefined) return
      expect(graph[charge._tag]).toContain(next._tag)
      expect([next.version, next.updatedAt]).toEqual([charge.version + 1, now])
      for (const term of ["issuer", "id", "txid", "transactionId", "amountCents", "brCode", "payer", "fees"] as const) {
        expect(next[term]).toEqual(charge[term])
      }
    })
  })

  it("never changes the settling payment, and records every other payment", () => {
    checkAll((charge, command, { next, payments }) => {
      if ("payment" in charge && next && "payment" in next) expect(next.payment).toEqual(charge.payment)
      if (command._tag !== "ConfirmPayment") return
      const isKnown = "payment" in charge && charge.payment.endToEndId === command.payment.endToEndId
      expect(payments).toEqual(isKnown ? [] : [command.payment])
    })
  })

  it("publishes a payment and a refund exactly when they happen", () => {
    checkAll((charge, _, { next, news }) => {
      const isNew = next !== undefined && next._tag !== charge._tag
      const paidNow = isNew && charge._tag === "Pending" && next._tag === "Paid"
      const refundedNow = isNew && next._tag === "Refunded"
      const expected = refundedNow ? ["refunded"] : []
      const published = news?.map(({ kind }) => kind).filter((kind) => kind === "paid" || kind === "refunded")
      expect(published ?? []).toEqual(paidNow ? ["paid"] : expected)
    })
  })

  it("records every return that isn't known", () => {
    checkAll((charge, command, { next, returns }) => {
      if (command._tag !== "RecordReturn") return
      const { id, endToEndId } = command.returned
      const known = [...charge.returns, ...returns, ...(next?.returns ?? [])]
      expect(known.some((row) => row.id === id && row.endToEndId === endToEndId)).toBe(true)
      const ids = (next ?? charge).returns.map((row) => row.id)
      expect(new Set(ids).size).toBe(ids.length)
    })
  })

  it("makes a charge refunded only if its whole payment went back", () => {
    checkAll((_, __, { next }) => {
      if (next?._tag !== "Refunded") return
      const total = next.returns.reduce((sum, row) => sum + row.amountCents, 0)
      expect(total).toBeGreaterThanOrEqual(next.payment.amountCents)
    })
  })

  it("has an error that names the charge but not its payer", () => {
    fc.assert(
      fc.property(chargeAndCommand, ([charge, command]) => {
        const result = decide(charge, command, now)
        if (Result.isSuccess(result)) return
        expect(result.failure).toMatchObject({ issuer: charge.issuer, id: charge.id })
        const { issuer: _, id: __, ...rest } = result.failure
        const texts = Object.values(rest).filter((value) => typeof value === "string")
        expect(texts).toEqual([result.failure._tag, result.failure.code])
      }),
      { numRuns: runs },
    )
  })
})
