import { maxRecurrenceCheckMs, RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChargeId, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anApprovedRecurrence, aRecurrence } from "../../fixtures/Recurrences.ts"
import { commitRecurrence, findRecurrence, insertApproved, insertCycleCharge, insertRecurrence } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const leaseMs = 30_000
const now = fixtureNow + 1_000_000

const claim = (request: { readonly now?: number; readonly limit?: number } = {}) =>
  Effect.flatMap(RecurrenceStore, (store) => store.claim({ now, limit: 100, leaseMs, ...request }))

const claimIds = (request?: Parameters<typeof claim>[0]) =>
  Effect.map(claim(request), (due) => due.map(({ recurrence }) => recurrence.id))

/** Stores a recurrence whose first check is at `checkAt`. */
const insertDue = Effect.fnUntraced(function* (checkAt: number, issuer = aCnpj) {
  const recurrence = aRecurrence({ issuer })
  yield* (yield* RecurrenceStore).insert(recurrence, checkAt)
  return recurrence
})

export const checkCases = ({ test, neighbour }: StoreTests): void => {
  test("claims recurrences with due checks and their due times, the oldest first, across companies", () =>
    Effect.gen(function* () {
      const second = yield* insertDue(now - 5)
      const third = yield* insertDue(now)
      const first = yield* insertDue(now - 9, neighbour)
      yield* insertDue(now + 1)
      yield* insertApproved()
      expect(yield* claim({ limit: 2 })).toEqual([
        { recurrence: first, dueAt: now - 9 },
        { recurrence: second, dueAt: now - 5 },
      ])
      expect(yield* claim({ limit: 2 })).toEqual([{ recurrence: third, dueAt: now }])
      expect(yield* claim()).toEqual([])
    }))

  test("makes a claimed recurrence due again when its lease ends, because its process can crash", () =>
    Effect.gen(function* () {
      const recurrence = yield* insertDue(now)
      yield* claim()
      expect(yield* claim({ now: now + leaseMs - 1 })).toEqual([])
      expect(yield* claim({ now: now + leaseMs })).toEqual([{ recurrence, dueAt: now + leaseMs }])
    }))

  test("gives each recurrence to one of many concurrent processes", () =>
    Effect.gen(function* () {
      const made = []
      for (let index = 0; index < 30; index++) made.push((yield* insertDue(now - index)).id)
      const taken = yield* Effect.all(
        Array.from({ length: 8 }, () => claimIds({ limit: 6 })),
        { concurrency: "unbounded" },
      )
      // Concurrent claims can find fewer recurrences than their limit; the next claim takes the rest.
      expect([...taken.flat(), ...(yield* claimIds())].toSorted()).toEqual(made.toSorted())
    }))

  test("sets the next check, or ends the checks, by a move", () =>
    Effect.gen(function* () {
      const requested = yield* insertRecurrence()
      const approved = anApprovedRecurrence(requested)
      yield* commitRecurrence(requested, approved, { checkAt: now + 7 })
      expect(yield* claim({ now: now + 6 })).toEqual([])
      expect(yield* claim({ now: now + 7 })).toEqual([{ recurrence: approved, dueAt: now + 7 }])
      const ended = {
        ...approved,
        _tag: "Ended",
        version: approved.version + 1,
        end: { reason: "expired", at: now },
      } as const
      const { approvedAt: _, ...over } = ended
      yield* commitRecurrence(approved, over)
      expect(yield* claim({ now: now * 2 })).toEqual([])
    }))

  test("sets or ends a check without a move", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const recurrence = yield* insertRecurrence()
      const { issuer, id } = recurrence
      yield* store.schedule(issuer, id, now + 3)
      expect(yield* claim({ now: now + 2 })).toEqual([])
      expect(yield* claim({ now: now + 3 })).toEqual([{ recurrence: { ...recurrence, version: 2 }, dueAt: now + 3 }])
      yield* store.schedule(issuer, id, undefined)
      expect(yield* claim({ now: now * 2 })).toEqual([])
      yield* store.schedule(issuer, id, now)
      yield* store.schedule(issuer, aRecurrence().id, now)
      expect(yield* claim()).toEqual([{ recurrence: { ...recurrence, version: 4 }, dueAt: now }])
    }))

  test("keeps a check that a move after the given version set", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const requested = yield* insertRecurrence()
      const approved = anApprovedRecurrence(requested)
      const { issuer, id } = requested
      yield* commitRecurrence(requested, approved, { checkAt: now })
      yield* store.schedule(issuer, id, undefined, requested.version)
      expect(yield* claimIds()).toEqual([id])
      yield* store.schedule(issuer, id, now + 1, approved.version)
      expect(yield* claim({ now: now + 1 })).toEqual([{ recurrence: approved, dueAt: now + 1 }])
    }))

  test("keeps a check that was scheduled after the given version was read", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const { issuer, id, version } = yield* insertDue(now)
      yield* claim()
      yield* store.schedule(issuer, id, now + 1)
      yield* store.schedule(issuer, id, now + 9, version)
      expect(yield* claimIds({ now: now + 1 })).toEqual([id])
      const waiting = yield* findRecurrence({ issuer, id })
      yield* store.schedule(issuer, id, now + 9, waiting?.version)
      expect(yield* claimIds({ now: now + 8 })).toEqual([])
      expect(yield* findRecurrence({ issuer, id })).toEqual(waiting)
    }))

  test("makes only the company's recurrences with the given bank ids or charges due", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const requested = yield* insertRecurrence()
      const byBankId = anApprovedRecurrence(requested, { bankId: "RR12345678202606031234567abCD" })
      yield* commitRecurrence(requested, byBankId)
      const charge = yield* insertCycleCharge()
      const byCharge = yield* findRecurrence({ issuer: aCnpj, id: charge.cycle.recurrenceId })
      if (byCharge === undefined) throw new Error("expected a stored recurrence")
      const unnamed = yield* insertApproved()
      const [bankIds, chargeIds] = [
        [byBankId.bankId, "R7"],
        [charge.id, aChargeId()],
      ]
      yield* store.scheduleNamed(anotherCnpj, { bankIds, chargeIds }, now)
      yield* store.scheduleNamed(aCnpj, { bankIds: bankIds.map((id) => id.toLowerCase()), chargeIds: [] }, now)
      yield* store.scheduleNamed(aCnpj, { bankIds: [], chargeIds: [] }, now)
      expect(yield* claim()).toEqual([])
      yield* store.scheduleNamed(aCnpj, { bankIds, chargeIds }, now)
      const due = yield* claim()
      expect(new Set(due)).toEqual(
        new Set([byBankId, byCharge].map((one) => ({ recurrence: { ...one, version: one.version + 1 }, dueAt: now }))),
      )
      expect(yield* findRecurrence(unnamed)).toEqual(unnamed)
      // A recurrence that is named again during its check stays due after the check.
      yield* store.scheduleNamed(aCnpj, { bankIds, chargeIds: [] }, now + 1)
      yield* store.schedule(aCnpj, byBankId.id, undefined, byBankId.version + 1)
      expect(yield* claimIds({ now: now + 1 })).toEqual([byBankId.id])
    }))

  test("claims due checks before checks that a clock far ahead has set", () =>
    Effect.gen(function* () {
      const ahead = yield* insertDue(now + maxRecurrenceCheckMs + 1)
      yield* insertDue(now + maxRecurrenceCheckMs)
      const due = yield* insertDue(now)
      expect(yield* claimIds({ limit: 1 })).toEqual([due.id])
      expect(yield* claimIds()).toEqual([ahead.id])
      expect(yield* claimIds()).toEqual([])
    }))

  test("sets checks only of the company's own recurrence", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const ours = yield* insertDue(now)
      yield* store.insert(aRecurrence({ id: ours.id, issuer: anotherCnpj }), now)
      yield* store.schedule(anotherCnpj, ours.id, undefined)
      expect(yield* claim()).toEqual([{ recurrence: ours, dueAt: now }])
    }))
}
