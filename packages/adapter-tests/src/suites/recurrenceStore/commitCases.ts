import { Actor, AuditLog, Outbox } from "@pixcharge/core"
import type { PixEvent } from "@pixcharge/core/charges"
import type { Recurrence, RequestedRecurrence } from "@pixcharge/core/recurrence"
import { type RecurrenceChange, RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj, cpf } from "../../fixtures/Companies.ts"
import { aCycleCharge, anApprovedRecurrence, aRecurrence, movedRecurrence } from "../../fixtures/Recurrences.ts"
import { isRefused, type StoreTests, unstorableAmounts, unstorableMoments, unstorableTexts } from "../StoreDriver.ts"
import { commitRecurrence, find, findRecurrence, insertApproved, insertRecurrence, tryCharge } from "../commits.ts"
import { claim } from "../outbox/queue.ts"

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
  audit: { kind: "cyclesSkipped", recurrenceId: recurrence.id, cycles: [3, 4] } as const,
})

/** The number of the company's deliveries and records. */
const countExtras = Effect.gen(function* () {
  const page = { limit: 100 }
  const deliveries = yield* (yield* Outbox).list(aCnpj, {}, page)
  return [deliveries.items.length, (yield* (yield* AuditLog).list(aCnpj, {}, page)).items.length]
})

/** Sequences of moves that together reach every state. */
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
        skipped: [
          [4, 4],
          [6, 5_000],
        ],
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
  test("finds a recurrence in every state as it was committed", () =>
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

  test("keeps the stored terms, even if a move has other terms", () =>
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

  test("writes a move's events for every endpoint, and an audit record with its actor", () =>
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

  test("refuses a move from another version, or of an unknown recurrence", () =>
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

  test("writes one of many concurrent moves, with its charge and events", () =>
    Effect.gen(function* () {
      const approved = yield* insertApproved()
      const charges = Array.from({ length: 12 }, (_, index) => aCycleCharge(approved, { cycle: index + 1 }))
      const tried = yield* Effect.all(
        charges.map((charge) => tryCharge(approved, charge, extras(approved))),
        { concurrency: "unbounded" },
      )
      expect(tried.filter(({ isWritten }) => isWritten)).toHaveLength(1)
      const stored = yield* Effect.all(charges.map(find))
      expect(stored).toEqual(charges.map((charge, index) => (tried[index]?.isWritten ? charge : undefined)))
      expect(yield* findRecurrence(approved)).toEqual(movedRecurrence(approved))
      expect(yield* countExtras).toEqual([2, 1])
    }))
}

/** New recurrences with one unstorable part. */
const unstorableRecurrences: ReadonlyArray<Partial<RequestedRecurrence>> = [
  ...unstorableTexts.flatMap((text): ReadonlyArray<Partial<RequestedRecurrence>> => [
    { title: text },
    { contract: text },
    { payer: { name: text, taxId: cpf("52998224725") } },
    { journey: { by: "bank", ispb: "12345678", account: text, until: fixtureNow } },
  ]),
  ...unstorableAmounts.flatMap((amount) => [{ amountCents: cents(amount) }, { floorCents: cents(amount) }]),
  ...unstorableMoments.map((until) => ({ journey: { by: "bank", ispb: "12345678", account: "1", until } as const })),
  { version: 2 ** 31 },
]

/** Moves of a requested recurrence with one unstorable part. */
const unstorableMoves = (
  requested: RequestedRecurrence,
): ReadonlyArray<readonly [Recurrence, Partial<RecurrenceChange>?]> => {
  const approved = anApprovedRecurrence(requested)
  const ended = (part: object): Recurrence => {
    const { approvedAt: _, ...rest } = approved
    return { ...rest, _tag: "Ended", end: { reason: "ended", at: fixtureNow, ...part } }
  }
  return [
    ...unstorableTexts.flatMap((text): ReturnType<typeof unstorableMoves> => [
      [{ ...approved, bankId: text }],
      [ended({ code: text })],
      [approved, { charge: aCycleCharge(approved, { bankId: text }) }],
      [approved, { audit: { kind: "note", text } as never }],
    ]),
    ...unstorableMoments.flatMap((moment): ReturnType<typeof unstorableMoves> => [
      [{ ...approved, approvedAt: moment }],
      [ended({ at: moment })],
      [approved, { checkAt: moment }],
      [approved, { charge: aCycleCharge(approved, {}, { payableUntil: moment, watchUntil: fixtureNow }) }],
    ]),
    ...unstorableAmounts.map(
      (amount) => [approved, { charge: aCycleCharge(approved, {}, { amountCents: cents(amount) }) }] as const,
    ),
    [{ ...approved, version: 2 ** 31 }],
  ]
}

export const unstorableCases = ({ test }: StoreTests): void => {
  test("refuses a new recurrence with an unstorable part", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      for (const overrides of unstorableRecurrences) {
        const recurrence = aRecurrence(overrides)
        yield* isRefused(store.insert(recurrence, fixtureNow))
        expect(yield* findRecurrence(recurrence)).toBeUndefined()
      }
      for (const moment of unstorableMoments) yield* isRefused(store.insert(aRecurrence(), moment))
    }))

  test("writes nothing of a move with an unstorable part", () =>
    Effect.gen(function* () {
      const requested = yield* insertRecurrence()
      for (const [next, change] of unstorableMoves(requested)) {
        yield* isRefused(commitRecurrence(requested, next, change))
        expect(yield* findRecurrence(requested)).toEqual(requested)
        if (change?.charge) expect(yield* find(change.charge)).toBeUndefined()
      }
    }))

  test("refuses a check at an unstorable time", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const { issuer, id, bankId } = yield* insertApproved()
      for (const moment of unstorableMoments) {
        yield* isRefused(store.schedule(issuer, id, moment))
        yield* isRefused(store.scheduleNamed(issuer, { bankIds: [bankId], chargeIds: [] }, moment))
      }
    }))
}
