import { AuditLog, DueChecks, Outbox, PayerData } from "@pixcharge/core"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import type { Charge, PendingCharge } from "@pixcharge/core/charges"
import { type Debit, newDebit } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aCancelledCharge, aChange, aPaidCharge, day, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aPayment, aTestEvent } from "../../fixtures/Payments.ts"
import { aCycleCharge, aScheduledEvent } from "../../fixtures/Recurrences.ts"
import {
  allPages,
  commit,
  endRecurrence,
  find,
  findRecurrence,
  insertApproved,
  insertCharge,
  insertCycleCharge,
  paidEventId,
  settleCharge,
  tryCharge,
} from "../commits.ts"
import { due, eventIds, later, listDeliveries, settleAll } from "../outbox/queue.ts"
import type { StoreTests } from "../StoreDriver.ts"

/** The charge after a move of its debit. */
const withDebit = (charge: PendingCharge, debit: Partial<Debit>): PendingCharge => ({
  ...charge,
  version: charge.version + 1,
  updatedAt: charge.updatedAt + 1_000,
  debit: { ...newDebit, ...debit },
})

const move = Effect.fnUntraced(function* <Next extends Charge>(charge: Charge, next: Next) {
  const payments = "payment" in next ? [next.payment] : []
  expect((yield* commit(aChange(charge, { next, payments }))).moved).toBe(true)
  return next
})

export const cycleCases = ({ test }: StoreTests): void => {
  test("finds a cycle's charge unchanged, but not for another company", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const charge = aCycleCharge(approved, { retryDays: [] }, { dueDate: day("2026-06-10") })
      const { isWritten, recurrence } = yield* tryCharge(approved, charge)
      expect(isWritten).toBe(true)
      expect(yield* find(charge)).toEqual(charge)
      expect(yield* find({ ...charge, issuer: anotherCnpj })).toBeUndefined()
      expect(yield* findRecurrence(approved)).toEqual(recurrence)
      const { payer: _, ...other } = { ...aCycleCharge(recurrence, { cycle: 2 }), payerErasedAt: fixtureNow - 1 }
      expect((yield* tryCharge(recurrence, other)).isWritten).toBe(true)
      expect(yield* find(other)).toEqual(other)
    }))

  test("finds a charge's debit as each move left it, even after a payment or a cancellation", () =>
    Effect.gen(function* () {
      const charge = yield* insertCycleCharge()
      const attempt = {
        kind: "first",
        on: day("2026-06-10"),
        endToEndId: "E1",
        status: "rejected",
        code: "AM04",
      } as const
      const failed = yield* move(
        charge,
        withDebit(charge, {
          status: "registered",
          attempts: [attempt, { kind: "resent", on: day("2026-06-10"), status: "requested" }],
          retries: [day("2026-06-12")],
          failure: { on: day("2026-06-10"), code: "AM04" },
        }),
      )
      expect(yield* find(charge)).toEqual(failed)
      const planned = yield* move(failed, withDebit(failed, { nextAttemptOn: day("2026-06-14") }))
      expect(yield* find(charge)).toEqual(planned)
      const requested = yield* move(planned, withDebit(planned, { retries: [day("2026-06-14")] }))
      expect(yield* find(charge)).toEqual(requested)
      const paid = yield* move(requested, aPaidCharge(requested))
      expect(yield* find(charge)).toEqual(paid)
      const other = yield* insertCycleCharge()
      yield* move(other, aCancelledCharge(other))
      expect(yield* find(other)).toEqual(aCancelledCharge(other))
    }))

  test("allows one charge per cycle that is neither cancelled nor rejected", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const first = aCycleCharge(approved)
      let { recurrence } = yield* tryCharge(approved, first)
      const isRefused = Effect.fnUntraced(function* (generation: number) {
        const other = aCycleCharge(approved, { generation })
        const { id: recurrenceId, issuer } = recurrence
        const change = {
          deliveries: [{ event: aTestEvent({ issuer }), endpointId: "loja" }],
          audit: { kind: "cyclesSkipped", recurrenceId, cycles: [1, 1] },
        } as const
        expect((yield* tryCharge(recurrence, other, change)).isWritten).toBe(false)
        expect((yield* (yield* Outbox).list(issuer, {}, { limit: 1 })).items).toEqual([])
        expect((yield* (yield* AuditLog).list(issuer, {}, { limit: 1 })).items).toEqual([])
        expect(yield* find(other)).toBeUndefined()
        expect(yield* findRecurrence(approved)).toEqual(recurrence)
      })
      yield* isRefused(2)
      const unpaid = yield* move(first, withDebit(first, { status: "unpaid" }))
      yield* isRefused(2)
      yield* move(unpaid, withDebit(unpaid, { status: "rejected" }))
      const second = aCycleCharge(approved, { generation: 2 })
      ;({ recurrence } = yield* tryCharge(recurrence, second))
      expect(yield* find(second)).toEqual(second)
      yield* isRefused(3)
      yield* move(second, aCancelledCharge(second))
      const third = aCycleCharge(approved, { generation: 3 })
      ;({ recurrence } = yield* tryCharge(recurrence, third))
      yield* move(third, aPaidCharge(third))
      yield* isRefused(4)
    }))

  test("accepts the payments of a rejected charge and of its replacement", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const first = aCycleCharge(approved)
      const { recurrence } = yield* tryCharge(approved, first)
      const rejected = yield* move(first, withDebit(first, { status: "rejected" }))
      const second = aCycleCharge(approved, { generation: 2 })
      expect((yield* tryCharge(recurrence, second)).isWritten).toBe(true)
      const paid = yield* move(rejected, aPaidCharge(rejected))
      yield* move(second, aPaidCharge(second))
      expect(yield* find(first)).toEqual(paid)
    }))

  test("separates the charges of different cycles, recurrences and companies", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      let { recurrence } = yield* tryCharge(approved, aCycleCharge(approved))
      ;({ recurrence } = yield* tryCharge(recurrence, aCycleCharge(approved, { cycle: 2 })))
      expect(recurrence.version).toBe(approved.version + 2)
      const other = yield* insertApproved()
      expect((yield* tryCharge(other, aCycleCharge(other))).isWritten).toBe(true)
      const theirs = yield* insertApproved({ issuer: anotherCnpj, id: approved.id })
      expect((yield* tryCharge(theirs, aCycleCharge(theirs))).isWritten).toBe(true)
    }))

  test("refuses a charge with a taken id", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const taken = yield* insertCharge()
      expect((yield* tryCharge(approved, aCycleCharge(approved, {}, { id: taken.id }))).isWritten).toBe(false)
      expect(yield* find(taken)).toEqual(taken)
      expect(yield* findRecurrence(approved)).toEqual(approved)
    }))

  test("lists a recurrence's charges by page, the last cycle and its last generation first", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      let recurrence = yield* insertApproved()
      const made = new Map<string, Charge>()
      for (const [cycle, generation] of [
        [2, 1],
        [1, 1],
        [11, 1],
        [3, 1],
        [2, 2],
        [2, 10],
      ] as const) {
        const charge = aCycleCharge(recurrence, { cycle, generation })
        ;({ recurrence } = yield* tryCharge(recurrence, charge))
        made.set(`${cycle}/${generation}`, cycle === 2 ? yield* move(charge, aCancelledCharge(charge)) : charge)
      }
      yield* insertCycleCharge()
      const { issuer, id } = recurrence
      const expected = ["11/1", "3/1", "2/10", "2/2", "2/1", "1/1"].map((key) => made.get(key))
      for (const limit of [1, 4, 6]) {
        expect((yield* allPages((page) => store.charges(issuer, id, page), limit)).flat()).toEqual(expected)
      }
      expect(yield* store.charges(anotherCnpj, id, { limit: 9 })).toEqual({ items: [] })
      expect(yield* store.lastCharge(issuer, id, 2)).toEqual(made.get("2/10"))
      expect(yield* store.lastCharge(issuer, id, 11)).toEqual(made.get("11/1"))
      expect(yield* store.lastCharge(issuer, id, 4)).toBeUndefined()
      expect(yield* store.lastCharge(anotherCnpj, id, 2)).toBeUndefined()
    }))

  test("lists at most the last ten pending charges that the bank has not given up, by cycle", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      let recurrence = yield* insertApproved()
      const charges: Array<PendingCharge> = []
      for (let cycle = 15; cycle > 0; cycle--) {
        const charge = aCycleCharge(recurrence, { cycle })
        ;({ recurrence } = yield* tryCharge(recurrence, charge))
        charges.unshift(charge)
      }
      const [first, second, third, fourth, fifth, ...rest] = charges as [
        PendingCharge,
        PendingCharge,
        PendingCharge,
        PendingCharge,
        PendingCharge,
        ...Array<PendingCharge>,
      ]
      yield* move(first, withDebit(first, { status: "rejected" }))
      yield* move(second, withDebit(second, { status: "unpaid" }))
      const scheduled = yield* move(third, withDebit(third, { status: "scheduled" }))
      yield* move(fourth, aCancelledCharge(fourth))
      yield* move(fifth, aPaidCharge(fifth))
      const { issuer, id } = recurrence
      expect(yield* store.openCharges(issuer, id)).toEqual(rest)
      const [sixth] = rest as [PendingCharge]
      yield* move(sixth, aCancelledCharge(sixth))
      expect(yield* store.openCharges(issuer, id)).toEqual([scheduled, ...rest.slice(1)])
      expect(yield* store.openCharges(anotherCnpj, id)).toEqual([])
    }))

  test("lists a debit's events by its charge's id", () =>
    Effect.gen(function* () {
      const charge = yield* insertCycleCharge()
      const { issuer, id: chargeId, txid, amountCents, cycle } = charge
      if (cycle === undefined) throw new Error("expected a cycle's charge")
      const event = {
        id: "evt_1",
        kind: "payment-scheduled",
        issuer,
        companyName: "Padaria Aurora Ltda",
        occurredAt: fixtureNow,
        recurrence: { recurrenceId: cycle.recurrenceId, contract: cycle.contract },
        cycle: cycle.cycle,
        charge: { chargeId, txid, amountCents },
        on: cycle.settlesOn,
      } as const
      const deliveries = [{ event, endpointId: "loja" }]
      yield* commit(aChange(charge, { next: withDebit(charge, { status: "scheduled" }), deliveries }))
      const { items } = yield* (yield* Outbox).list(issuer, { chargeId }, { limit: 9 })
      expect(items.map((one) => one.event)).toEqual([event])
    }))

  test("claims no check for a pending charge of a cycle", () =>
    Effect.gen(function* () {
      yield* insertCycleCharge()
      const request = { now: fixtureNow + 10 ** 10, limit: 10, leaseMs: 1_000 }
      expect(yield* (yield* DueChecks).claimCharges(request)).toEqual([])
    }))

  test("exports and erases the payer of a cycle's charge like the payer of any charge", () =>
    Effect.gen(function* () {
      const payers = yield* PayerData
      const approved = yield* insertApproved()
      const charge = aCycleCharge(approved)
      yield* endRecurrence((yield* tryCharge(approved, charge)).recurrence)
      const { payer, ...facts } = charge
      if (payer === undefined) throw new Error("expected a charge with a payer")
      expect(yield* payers.export(aCnpj, payer.taxId)).toEqual({ charges: [charge] })
      expect(yield* payers.erase(aCnpj, payer.taxId, fixtureNow + 7)).toBe(2)
      expect(yield* find(charge)).toEqual({ ...facts, payerErasedAt: fixtureNow + 7 })
    }))

  test("holds the `paid` event of a cycle's charge back while its `payment-scheduled` event waits, and lists both", () =>
    Effect.gen(function* () {
      const charge = yield* insertCycleCharge()
      const next = { ...charge, version: charge.version + 1 }
      const scheduled = aScheduledEvent(charge)
      yield* commit(aChange(charge, { next, deliveries: [{ event: scheduled, endpointId: "loja" }] }))
      yield* settleAll({ _tag: "Retry", at: later + 1 })
      const paid = yield* settleCharge(next, aPayment(next), ["loja"])
      expect(yield* due()).toEqual([])
      expect(eventIds(yield* due(later + 1))).toEqual([scheduled.id])
      const listed = eventIds(yield* listDeliveries({ chargeId: charge.id }))
      expect(listed.toSorted()).toEqual([scheduled.id, paidEventId(paid)].toSorted())
      yield* settleAll({ _tag: "Delivered" }, later + 1)
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))
}
