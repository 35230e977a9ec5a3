import { Actor, AuditLog, Outbox } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Recurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aCycleCharge, anApprovedRecurrence, aRecurrence, movedRecurrence } from "../../fixtures/Recurrences.ts"
import { find } from "../commits.ts"
import { claim } from "../outbox/queue.ts"
import { commitRecurrence, findRecurrence, insertApproved, insertRecurrence, tryCharge } from "../recurrences.ts"
import type { StoreTests } from "../StoreDriver.ts"

const anEvent = ({ issuer, id, contract }: Recurrence): PixEvent => ({
  id: `evt_${id.replaceAll("-", "")}_approved`,
  kind: "recurrence-approved",
  issuer,
  companyName: 'Padaria "Aurora" 🦜',
  occurredAt: fixtureNow,
  recurrence: { recurrenceId: id, contract },
})

/** An event for two endpoints, and a record of the audit log. */
const extras = (recurrence: Recurrence) => ({
  deliveries: ["loja", "parceiro"].map((endpointId) => ({ event: anEvent(recurrence), endpointId })),
  audit: { kind: "cycleSkipped", recurrenceId: recurrence.id, cycle: 3 } as const,
})

/** How many deliveries and records the company has. */
const countExtras = Effect.gen(function* () {
  const page = { limit: 100 }
  const deliveries = yield* (yield* Outbox).list(aCnpj, {}, page)
  return [deliveries.items.length, (yield* (yield* AuditLog).list(aCnpj, {}, page)).items.length]
})

/** A life with every state; each is the one before after a move. */
const lives = (requested: Recurrence): ReadonlyArray<ReadonlyArray<Recurrence>> => {
  const base = { ...requested, bankId: `RN${requested.id.replaceAll("-", "").slice(0, 27)}` }
  const at = (version: number) => ({ version, updatedAt: fixtureNow + version * 1_001 })
  return [
    [
      { ...base, ...at(2), _tag: "Offered", brCode: "00020126BR6304ABCD" },
      { ...base, ...at(3), _tag: "Approved", approvedAt: fixtureNow + 7 },
      {
        ...base,
        ...at(4),
        _tag: "Approved",
        approvedAt: fixtureNow + 7,
        nextCycle: 3,
        announcedCycle: 3,
        skipped: [4, 6],
      },
      { ...base, ...at(5), _tag: "Approved", approvedAt: fixtureNow + 7, nextCycle: 4 },
      { ...base, ...at(6), _tag: "Ending", requestedAt: fixtureNow + 8, nextCycle: 4 },
      {
        ...base,
        ...at(7),
        _tag: "Ended",
        nextCycle: 4,
        end: { reason: "ended", by: "company", code: "SLCR", at: fixtureNow + 9 },
      },
    ],
    [
      { ...base, ...at(2), _tag: "Offered" },
      { ...base, ...at(3), _tag: "Ended", end: { reason: "declined", at: fixtureNow + 1 } },
    ],
    [
      { ...requested, ...at(2), _tag: "Ending", requestedAt: fixtureNow + 3, reason: "expired" },
      { ...requested, ...at(3), _tag: "Ended", end: { reason: "refused", at: fixtureNow + 4 } },
    ],
  ]
}

export const commitCases = ({ test }: StoreTests): void => {
  test("every state is found as it was committed", () =>
    Effect.gen(function* () {
      for (const life of [0, 1, 2]) {
        let known: Recurrence = yield* insertRecurrence()
        for (const next of lives(known)[life] ?? []) {
          expect(yield* commitRecurrence(known, next)).toBe(true)
          expect(yield* findRecurrence(next)).toEqual(next)
          known = next
        }
      }
    }))

  test("terms stay as they are stored, also when a move brings others", () =>
    Effect.gen(function* () {
      const requested = yield* insertRecurrence({ amountCents: cents(4_990) })
      const other = {
        title: "Outra",
        contract: "other",
        amountCents: cents(1),
        period: "weekly",
        createdAt: 1,
      } as const
      expect(yield* commitRecurrence(requested, anApprovedRecurrence({ ...requested, ...other }))).toBe(true)
      const { bankId } = anApprovedRecurrence({ ...requested, ...other })
      expect(yield* findRecurrence(requested)).toEqual(anApprovedRecurrence(requested, { bankId }))
    }))

  test("a move brings its events to every endpoint, and its record under the one who made it", () =>
    Effect.gen(function* () {
      const requested = yield* insertRecurrence()
      const { deliveries, audit } = extras(requested)
      const commit = commitRecurrence(requested, anApprovedRecurrence(requested), { deliveries, audit })
      expect(yield* commit.pipe(Effect.provideService(Actor, "ana"))).toBe(true)
      const claimed = yield* claim()
      expect(claimed.map(({ event }) => event)).toEqual([anEvent(requested), anEvent(requested)])
      expect(claimed.map(({ endpointId }) => endpointId).toSorted()).toEqual(["loja", "parceiro"])
      const { items } = yield* (yield* AuditLog).list(aCnpj, {}, { limit: 9 })
      expect(items.map(({ by, change }) => [by, change])).toEqual([["ana", audit]])
    }))

  test("a move from another version, and of an unknown recurrence, writes nothing", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const charge = aCycleCharge(approved)
      const stale = [
        { expectedVersion: approved.version - 1 },
        { expectedVersion: approved.version + 1 },
        { issuer: anotherCnpj },
        { id: aRecurrence().id },
      ]
      for (const change of stale) {
        const tried = yield* tryCharge(approved, charge, { ...extras(approved), ...change })
        expect(tried.isWritten).toBe(false)
      }
      expect(yield* findRecurrence(approved)).toEqual(approved)
      expect(yield* find(charge)).toBeUndefined()
      expect(yield* countExtras).toEqual([0, 0])
    }))

  test("of many moves at once one is written, with its charge and events", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const charges = Array.from({ length: 12 }, (_, at) => aCycleCharge(approved, { cycle: at + 1 }))
      const tried = yield* Effect.all(
        charges.map((charge) => tryCharge(approved, charge, extras(approved))),
        { concurrency: "unbounded" },
      )
      expect(tried.filter(({ isWritten }) => isWritten)).toHaveLength(1)
      const stored = yield* Effect.all(charges.map(find))
      expect(stored).toEqual(charges.map((charge, at) => (tried[at]?.isWritten ? charge : undefined)))
      expect(yield* findRecurrence(approved)).toEqual(movedRecurrence(approved))
      expect(yield* countExtras).toEqual([2, 1])
    }))
}
