import { type RecurrenceChange, RecurrenceStore } from "@pixcharge/core/recurring"
import type { ApprovedRecurrence, ChargeCycle, Recurrence, RequestedRecurrence } from "@pixcharge/core/recurrence"
import type { CycleCharge, PendingCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../fixtures/Charges.ts"
import {
  aCycleCharge,
  anApprovedRecurrence,
  anEndedRecurrence,
  aRecurrence,
  movedRecurrence,
} from "../fixtures/Recurrences.ts"

/** When a new recurrence is checked. */
export const firstCheckAt = fixtureNow + 60_000

/** A recurrence as it is stored. */
export const findRecurrence = ({ issuer, id }: Pick<Recurrence, "issuer" | "id">) =>
  Effect.flatMap(RecurrenceStore, (store) => store.find(issuer, id))

/** Stores a new recurrence. */
export const insertRecurrence = Effect.fnUntraced(function* (overrides: Partial<RequestedRecurrence> = {}) {
  const recurrence = aRecurrence(overrides)
  const insertion = yield* (yield* RecurrenceStore).insert(recurrence, firstCheckAt)
  expect(insertion).toEqual({ _tag: "Inserted" })
  return recurrence
})

/** Commits a move of a recurrence as read; whether it was written. */
export const commitRecurrence = (
  { issuer, id, version }: Recurrence,
  next: Recurrence,
  change: Partial<RecurrenceChange> = {},
) =>
  Effect.flatMap(RecurrenceStore, (store) =>
    store.commit({ issuer, id, expectedVersion: version, next, deliveries: [], ...change }),
  )

/** A stored recurrence that its payer has authorised; it is not checked. */
export const insertApproved = Effect.fnUntraced(function* (overrides: Partial<RequestedRecurrence> = {}) {
  const requested = yield* insertRecurrence(overrides)
  const approved = anApprovedRecurrence(requested)
  expect(yield* commitRecurrence(requested, approved)).toBe(true)
  return approved
})

/** Ends a recurrence. */
export const endRecurrence = Effect.fnUntraced(function* (approved: ApprovedRecurrence) {
  const ended = anEndedRecurrence(approved)
  expect(yield* commitRecurrence(approved, ended)).toBe(true)
  return ended
})

/** Tries to store a charge of one of its cycles; whether that was written, with the recurrence as it is then. */
export const tryCharge = Effect.fnUntraced(function* <Known extends Recurrence>(
  recurrence: Known,
  charge: CycleCharge<PendingCharge>,
  change: Partial<RecurrenceChange> = {},
) {
  const next = movedRecurrence(recurrence)
  const isWritten = yield* commitRecurrence(recurrence, next, { charge, ...change })
  return { isWritten, recurrence: isWritten ? next : recurrence }
})

/** Stores a charge of a cycle, of a new recurrence. */
export const insertCycleCharge = Effect.fnUntraced(function* (
  overrides: Partial<PendingCharge> = {},
  cycle: Partial<ChargeCycle> = {},
) {
  const recurrence = yield* insertApproved(overrides.issuer && { issuer: overrides.issuer })
  const charge = aCycleCharge(recurrence, cycle, overrides)
  expect((yield* tryCharge(recurrence, charge)).isWritten).toBe(true)
  return charge
})
