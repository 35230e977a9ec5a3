import { PayerData } from "@pixcharge/core"
import {
  type ApprovedRecurrence,
  type EndedRecurrence,
  type EndingRecurrence,
  type Journey,
  type OfferedRecurrence,
  parseRecurrenceId,
  type Recurrence,
  type RecurrenceEnd,
  type RequestedRecurrence,
} from "@pixcharge/core/recurrence"
import { RecurrenceStore } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { expect } from "vitest"
import { aChargeId, cents, day, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { commitRecurrence, findRecurrence } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { type Whole, wholePayer } from "./wholeCharge.ts"

/** A value with every field, before its payer is erased. */
type Known<Value> = Whole<Omit<Value, "payerErasedAt">>

/** The terms that an erasure removes. */
const personalTerms = { payer: wholePayer }
const personalInJourney = { branch: "1", account: "987654" }

const journeys: { readonly [By in Journey["by"]]: Whole<Extract<Journey, { by: By }>> } = {
  bank: { by: "bank", ispb: "12345678", until: fixtureNow + 7_001, ...personalInJourney },
  code: { by: "code", until: fixtureNow + 7_001 },
  payment: { by: "payment", chargeId: aChargeId(), dueDate: day("2026-06-09") },
}

const requested = (journey: Journey): Known<RequestedRecurrence> => {
  const id = Result.getOrThrow(parseRecurrenceId(crypto.randomUUID()))
  return {
    _tag: "Requested",
    issuer: aCnpj,
    id,
    contract: id.replaceAll("-", ""),
    title: "Aulas de violão",
    period: "quarterly",
    startDate: day("2026-06-10"),
    endDate: day("2028-06-10"),
    amountCents: cents(1_991),
    floorCents: cents(1_003),
    retries: "threeInSeven",
    retryOn: [1, 3, 6],
    journey,
    createdAt: fixtureNow + 1,
    version: 1,
    updatedAt: fixtureNow + 2,
    nextCycle: 5,
    announcedCycle: 4,
    skipped: [
      [2, 3],
      [7, 5_000],
    ],
    ...personalTerms,
  }
}

/** The recurrence in each state after the first, with every field set. */
const laterStates = ({ _tag: _, ...terms }: Known<RequestedRecurrence>) => {
  const bankId = `RR1234567820260603${terms.contract.slice(0, 11)}`
  const end: Whole<RecurrenceEnd> = { reason: "declined", by: "payerBank", code: "AP13", at: fixtureNow + 5_001 }
  const offered: Known<OfferedRecurrence> = { ...terms, _tag: "Offered", version: 2, bankId, brCode: "0002012658-rec" }
  const approved: Known<ApprovedRecurrence> = {
    ...terms,
    _tag: "Approved",
    version: 3,
    bankId,
    approvedAt: fixtureNow + 3_001,
  }
  const ending: Known<EndingRecurrence> = {
    ...terms,
    _tag: "Ending",
    version: 4,
    bankId,
    requestedAt: fixtureNow + 4_001,
    reason: "expired",
  }
  const ended: Known<EndedRecurrence> = { ...terms, _tag: "Ended", version: 5, bankId, end }
  return [offered, approved, ending, ended] as const
}

/** Expects that every call that returns recurrences returns this one unchanged. */
const expectWhole = Effect.fnUntraced(function* (recurrence: Recurrence) {
  const store = yield* RecurrenceStore
  const repeated = requested(journeys.code)
  const insertion = yield* store.insert({ ...repeated, id: recurrence.id }, fixtureNow)
  expect(insertion).toEqual({ _tag: "Exists", recurrence })
  expect(yield* findRecurrence(recurrence)).toEqual(recurrence)
  const listed = yield* store.list(aCnpj, { state: recurrence._tag, text: recurrence.contract }, { limit: 9 })
  expect(listed.items).toEqual([recurrence])
})

export const recurrenceCases = ({ test }: StoreTests): void => {
  for (const journey of Object.values(journeys)) {
    test(`finds every field of a recurrence with the journey ${journey.by} by every call, in every state`, () =>
      Effect.gen(function* () {
        const store = yield* RecurrenceStore
        const first = requested(journey)
        let known: Recurrence = first
        expect(yield* store.insert(first, fixtureNow)).toEqual({ _tag: "Inserted" })
        yield* expectWhole(known)
        const due = yield* store.claim({ now: fixtureNow, limit: 9, leaseMs: 1_000 })
        expect(due).toEqual([{ recurrence: known, dueAt: fixtureNow }])
        for (const next of laterStates(first)) {
          expect(yield* commitRecurrence(known, next)).toBe(true)
          yield* expectWhole(next)
          known = next
        }
      }))
  }

  test("erases every field that names the payer from a recurrence, and keeps all other fields", () =>
    Effect.gen(function* () {
      const first = requested(journeys.bank)
      const [, , , ended] = laterStates(first)
      yield* (yield* RecurrenceStore).insert(first, fixtureNow)
      expect(yield* commitRecurrence(first, ended)).toBe(true)
      const at = fixtureNow + 90_001
      expect(yield* (yield* PayerData).erase(aCnpj, wholePayer.taxId, at)).toBe(1)
      const { payer: _, ...erased } = { ...ended, journey: { by: "bank", ispb: "12345678", until: fixtureNow + 7_001 } }
      expect(yield* findRecurrence(ended)).toEqual({ ...erased, payerErasedAt: at })
    }))
}
