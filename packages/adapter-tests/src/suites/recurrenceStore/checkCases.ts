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

/** Stores a recurrence that is checked at this moment. */
const insertDue = Effect.fnUntraced(function* (checkAt: number, issuer = aCnpj) {
  const recurrence = aRecurrence({ issuer })
  yield* (yield* RecurrenceStore).insert(recurrence, checkAt)
  return recurrence
})

export const checkCases = ({ test, neighbour }: StoreTests): void => {
  test("recurrences whose check has come are claimed with the moment it was due, the oldest first, across companies", () =>
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

  test("a claimed recurrence is due again when its lease ends, so that a crash loses none", () =>
    Effect.gen(function* () {
      const recurrence = yield* insertDue(now)
      yield* claim()
      expect(yield* claim({ now: now + leaseMs - 1 })).toEqual([])
      expect(yield* claim({ now: now + leaseMs })).toEqual([{ recurrence, dueAt: now + leaseMs }])
    }))

  test("of many processes at once, each recurrence goes to one", () =>
    Effect.gen(function* () {
      const made = []
      for (let at = 0; at < 30; at++) made.push((yield* insertDue(now - at)).id)
      const taken = yield* Effect.all(
        Array.from({ length: 8 }, () => claimIds({ limit: 6 })),
        { concurrency: "unbounded" },
      )
      // A claim may find fewer than its limit beside another one; the next claim takes what is left.
      expect([...taken.flat(), ...(yield* claimIds())].toSorted()).toEqual(made.toSorted())
    }))

  test("a move sets the next check, or ends the checks", () =>
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

  test("a check is set or ended without a move", () =>
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

  test("a check that was set by a move meanwhile stays, where the version is named that was read", () =>
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

  test("a check that was asked for meanwhile stays, where the version is named that was read", () =>
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

  test("all that a notice names are due: by the bank's ids in their exact letters, and by charges, of its company alone", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const requested = yield* insertRecurrence()
      const byBankId = anApprovedRecurrence(requested, { bankId: "RR12345678202606031234567abCD" })
      yield* commitRecurrence(requested, byBankId)
      const charge = yield* insertCycleCharge()
      const byCharge = yield* findRecurrence({ issuer: aCnpj, id: charge.cycle.recurrenceId })
      if (byCharge === undefined) throw new Error("its recurrence is stored")
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
      // A check that was under way takes none of them away.
      yield* store.scheduleNamed(aCnpj, { bankIds, chargeIds: [] }, now + 1)
      yield* store.schedule(aCnpj, byBankId.id, undefined, byBankId.version + 1)
      expect(yield* claimIds({ now: now + 1 })).toEqual([byBankId.id])
    }))

  test("what a clock that ran ahead has left is claimed after what is due", () =>
    Effect.gen(function* () {
      const ahead = yield* insertDue(now + maxRecurrenceCheckMs + 1)
      yield* insertDue(now + maxRecurrenceCheckMs)
      const due = yield* insertDue(now)
      expect(yield* claimIds({ limit: 1 })).toEqual([due.id])
      expect(yield* claimIds()).toEqual([ahead.id])
      expect(yield* claimIds()).toEqual([])
    }))

  test("a company's check is set for its own recurrence alone", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const ours = yield* insertDue(now)
      yield* store.insert(aRecurrence({ id: ours.id, issuer: anotherCnpj }), now)
      yield* store.schedule(anotherCnpj, ours.id, undefined)
      expect(yield* claim()).toEqual([{ recurrence: ours, dueAt: now }])
    }))
}
