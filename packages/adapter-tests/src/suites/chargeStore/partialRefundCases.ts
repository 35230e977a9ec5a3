import { Actor, AuditLog, ChargeLists, DueChecks, PayerData } from "@pixcharge/core"
import type { PaidCharge, PartialRefund } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aPartlyRefundedCharge, aPartialRefund, cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, cpf } from "../../fixtures/Companies.ts"
import { aReturn } from "../../fixtures/Payments.ts"
import { commit, find, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

/** A move of the charge that writes this state of the partial refund. */
const changeByPart = (charge: PaidCharge, partialRefund: PartialRefund) => {
  const next = aPartlyRefundedCharge(charge, partialRefund)
  return { next, change: aChange(charge, { next, partialRefund }) }
}

const whole = { from: 0, until: fixtureNow * 2 }

export const partialRefundCases = ({ test }: StoreTests): void => {
  test("writes a partial refund with the move, and finds it with its charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const { next, change } = changeByPart(charge, aPartialRefund(charge))
      expect((yield* commit(change)).moved).toBe(true)
      expect(yield* find(charge)).toEqual(next)
      const lists = yield* ChargeLists
      expect((yield* lists.charges(aCnpj, whole, { limit: 10 })).items).toEqual([next])
      const checks = yield* DueChecks
      const due = (next.checkAt ?? 0) + 1
      const [claimed] = yield* checks.claimCharges({ now: due, limit: 1, leaseMs: 1_000 })
      expect(claimed).toEqual({ ...next, checkAt: due + 1_000 })
    }))

  test("changes only the partial refund with the move's key", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const part = aPartialRefund(charge)
      const first = changeByPart(charge, part)
      yield* commit(first.change)
      const { unanswered: _, ...refund } = part.refund
      const failed = changeByPart(first.next, { ...part, refund, rejection: "conta encerrada" })
      yield* commit(failed.change)
      expect(yield* find(charge)).toEqual(failed.next)
      const again = { id: `${charge.txid}P2`, attempt: 2, requestedAt: part.requestedAt + 7, unanswered: [1, 2] }
      // The cents can change as well: after a restore, the bank can show a return of another amount.
      const third = changeByPart(failed.next, { ...part, amountCents: cents(7), refund: again })
      yield* commit(third.change)
      expect(yield* find(charge)).toEqual(third.next)
    }))

  test("skips a stale partial refund, and keeps the charge's other partial refunds", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const first = changeByPart(charge, aPartialRefund(charge))
      const second = changeByPart(charge, aPartialRefund(charge, { key: "other", amountCents: cents(7) }))
      const answers = yield* Effect.all([commit(first.change), commit(second.change)], { concurrency: "unbounded" })
      expect(answers.filter(({ moved }) => moved)).toHaveLength(1)
      const winner = answers[0]?.moved === true ? first : second
      expect(yield* find(charge)).toEqual(winner.next)
    }))

  test("orders partial refunds by request time, then by key", () =>
    Effect.gen(function* () {
      let charge = yield* insertPaid()
      const at = charge.updatedAt
      for (const [n, [key, requestedAt]] of (
        [
          ["b", at],
          ["c", at - 5],
          ["a", at],
        ] as const
      ).entries()) {
        const refund = { id: `${charge.txid}P${n + 1}`, attempt: 1, requestedAt }
        const { next, change } = changeByPart(charge, aPartialRefund(charge, { key, requestedAt, refund }))
        yield* commit(change)
        charge = next
      }
      expect((yield* find(charge))?.partialRefunds?.map(({ key }) => key)).toEqual(["c", "a", "b"])
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("separates partial refunds of two charges under the same key", () =>
    Effect.gen(function* () {
      const charges = [yield* insertPaid(), yield* insertPaid()]
      const made = charges.map((charge, index) =>
        changeByPart(charge, aPartialRefund(charge, { amountCents: cents(1 + index) })),
      )
      yield* Effect.all(
        made.map(({ change }) => commit(change)),
        { concurrency: "unbounded" },
      )
      for (const { next } of made) expect(yield* find(next)).toEqual(next)
    }))

  test("keeps a partial refund while its charge moves on, and erases the charge's payer", () =>
    Effect.gen(function* () {
      const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
      const charge = yield* insertPaid({ payer })
      const { next, change } = changeByPart(charge, aPartialRefund(charge))
      yield* commit(change)
      const returned = aReturn(charge.payment, { id: `${charge.txid}P1`, kind: "refund", amountCents: cents(500) })
      const { checkAt: _, ...unchecked } = next
      const moved = { ...unchecked, version: next.version + 1, returns: [returned] }
      yield* commit(aChange(next, { next: moved, returns: [returned] }))
      expect(yield* find(charge)).toEqual(moved)
      yield* (yield* PayerData).erase(aCnpj, payer.taxId, fixtureNow)
      expect((yield* find(charge))?.partialRefunds).toEqual(next.partialRefunds)
    }))

  test("records a partial refund's move with its actor in the audit log", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid()
      const { next, change } = changeByPart(charge, aPartialRefund(charge))
      const audit = { kind: "partialRefundRequested", chargeId: charge.id, key: "part-1", amountCents: 500 } as const
      const byAna = Effect.provideService(commit({ ...change, audit }), Actor, "ana")
      expect((yield* byAna).moved).toBe(true)
      expect((yield* byAna).moved).toBe(false)
      yield* commit(changeByPart(next, aPartialRefund(next)).change)
      const { items } = yield* (yield* AuditLog).list(aCnpj, { kind: "partialRefundRequested" }, { limit: 10 })
      expect(items.map(({ by, cnpj, change: what }) => ({ by, cnpj, what }))).toEqual([
        { by: "ana", cnpj: aCnpj, what: audit },
      ])
    }))
}
