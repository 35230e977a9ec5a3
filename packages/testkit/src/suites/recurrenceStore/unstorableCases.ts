import { type RecurrenceChange, RecurrenceStore } from "@pixcharge/core/recurring"
import type { RequestedRecurrence, Recurrence } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { cents, fixtureNow } from "../../fixtures/Charges.ts"
import { cpf } from "../../fixtures/Companies.ts"
import { aCycleCharge, anApprovedRecurrence, aRecurrence } from "../../fixtures/Recurrences.ts"
import { find } from "../commits.ts"
import { commitRecurrence, findRecurrence, insertApproved, insertRecurrence } from "../recurrences.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { isRefused, unstorableAmounts, unstorableMoments, unstorableTexts } from "../unstorable.ts"

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
  test("a new recurrence with an unstorable part is refused", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      for (const overrides of unstorableRecurrences) {
        const recurrence = aRecurrence(overrides)
        yield* isRefused(store.insert(recurrence, fixtureNow))
        expect(yield* findRecurrence(recurrence)).toBeUndefined()
      }
      for (const moment of unstorableMoments) yield* isRefused(store.insert(aRecurrence(), moment))
    }))

  test("a move with an unstorable part is refused completely", () =>
    Effect.gen(function* () {
      const requested = yield* insertRecurrence()
      for (const [next, change] of unstorableMoves(requested)) {
        yield* isRefused(commitRecurrence(requested, next, change))
        expect(yield* findRecurrence(requested)).toEqual(requested)
        if (change?.charge) expect(yield* find(change.charge)).toBeUndefined()
      }
    }))

  test("a check at an unstorable moment is refused", () =>
    Effect.gen(function* () {
      const store = yield* RecurrenceStore
      const { issuer, id, bankId } = yield* insertApproved()
      for (const moment of unstorableMoments) {
        yield* isRefused(store.schedule(issuer, id, moment))
        yield* isRefused(store.scheduleNamed(issuer, { bankIds: [bankId], chargeIds: [] }, moment))
      }
    }))
}
