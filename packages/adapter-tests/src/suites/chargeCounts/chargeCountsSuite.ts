import { ChargeCounts, ChargeStore, Outbox, type SlotCount } from "@pixcharge/core"
import { newDebit } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cents, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { anUnmatchedPayment, aPayment, aReturn } from "../../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type TestedPorts } from "../StoreDriver.ts"
import {
  cancelCharge,
  commitException,
  insertCharge,
  insertCycleCharge,
  recordUnmatched,
  refundCharge,
  refundingState,
  requestRefund,
  resolved,
  settleCharge,
} from "../commits.ts"
import { claim, later, release, settle, settlement } from "../outbox/queue.ts"
import { naiveCounts } from "./naiveCounts.ts"

const timeoutMs = 600_000
const repeated = process.env["LONG"] ? 8 : 1

const inOrder = (counts: ReadonlyArray<SlotCount>) =>
  counts.toSorted((a, b) => (a.counted < b.counted ? -1 : Number(a.counted > b.counted)) || a.slot - b.slot)

/** Tests that `ChargeCounts` matches the lists of a store. */
export const chargeCountsSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: ChargeCounts`, () => {
    const { onEmptyStore, test } = storeTests(layer, hooks)
    // A store with `reset` is a database, where each history takes hundreds of statements.
    const histories = (hooks.reset === undefined ? 30 : 12) * repeated

    test("counts zero in an empty period", () =>
      Effect.gen(function* () {
        const counts = yield* ChargeCounts
        expect(yield* counts.count(aCnpj, { bounds, ages, now: fixtureNow })).toEqual([])
      }))

    test("counts an exception as open until its whole payment is returned", () =>
      Effect.gen(function* () {
        const counts = yield* ChargeCounts
        const open = Effect.map(counts.count(aCnpj, { bounds, ages, now: fixtureNow }), (counted) =>
          counted.flatMap((one) => (one.counted === "openException" ? [one.count] : [])),
        )
        const payment = yield* recordUnmatched({ paidAt: fixtureNow, amountCents: cents(10) })
        expect(yield* open).toEqual([1])
        for (const [version, amount, left] of [
          [0, 4, [1]],
          [1, 6, []],
        ] as const) {
          const returned = aReturn(payment, { amountCents: cents(amount), returnedAt: fixtureNow + 1 })
          yield* commitException(payment, { _tag: "Open" }, { expectedVersion: version, returns: [returned] })
          expect(yield* open).toEqual(left)
        }
      }))

    it(
      "counts by slot and company what the lists contain, for any history",
      () =>
        fc.assert(
          fc.asyncProperty(history, fc.constantFrom(0, 600_000, 200_000_000), (made, offset) =>
            onEmptyStore(
              Effect.gen(function* () {
                yield* happen(made)
                const counts = yield* ChargeCounts
                const request = { bounds, ages, now: fixtureNow + offset }
                for (const issuer of [aCnpj, anotherCnpj]) {
                  const counted = yield* counts.count(issuer, request)
                  expect(inOrder(counted)).toEqual(inOrder(yield* naiveCounts(issuer, request)))
                }
              }),
            ),
          ),
          { numRuns: histories },
        ),
      timeoutMs,
    )
  })
}

/** The slots' starts and the period's end; slots have any length. */
export const bounds: ReadonlyArray<number> = [0, 3_600_000, 3_600_001, 7_000_000, 14_400_123, 90_000_000].map(
  (offset) => fixtureNow + offset,
)

/** Ages at payment, in milliseconds. */
export const ages: ReadonlyArray<number> = [1, 15_000, 60_000, 86_400_000]

/** A time at a bound, a millisecond from it, or anywhere, even outside the period. */
const moment = fc.oneof(
  fc.tuple(fc.constantFrom(...bounds), fc.constantFrom(-1, 0, 1)).map(([bound, offset]) => bound + offset),
  fc.integer({ min: fixtureNow - 100_000_000, max: fixtureNow + 200_000_000 }),
)

const delay = fc.oneof(
  fc.tuple(fc.constantFrom(...ages), fc.constantFrom(-1, 0, 1)).map(([age, offset]) => Math.max(age + offset, 0)),
  fc.integer({ min: 0, max: 200_000_000 }),
)

const charge = fc.record({
  createdAt: moment,
  fate: fc.constantFrom("pending", "failed", "cancelled", "paid", "refunding", "refunded"),
  delay,
  endpoints: fc.constantFrom([], ["loja"], ["loja", "parceiro"]),
  isAnothers: fc.boolean(),
})

const exception = fc.record({
  paidAt: moment,
  returnedAt: moment,
  fate: fc.constantFrom("open", "refunding", "resolved", "returned", "partly"),
})

export const history = fc.record({
  charges: fc.array(charge, { maxLength: 12 }),
  exceptions: fc.array(exception, { maxLength: 8 }),
  deliveries: fc.array(fc.constantFrom("Delivered", "Dead", "Retry"), { maxLength: 8 }),
})

type History = typeof history extends fc.Arbitrary<infer A> ? A : never

const makeCharge = Effect.fnUntraced(function* (one: History["charges"][number]) {
  const { createdAt, fate, endpoints } = one
  const facts = { createdAt, ...(one.isAnothers && { issuer: anotherCnpj }) }
  if (fate === "failed") {
    yield* insertCycleCharge({ ...facts, debit: { ...newDebit, status: "unpaid" } })
    return
  }
  const pending = yield* insertCharge(facts)
  if (fate === "pending") return
  if (fate === "cancelled") {
    yield* cancelCharge(pending)
    return
  }
  const paid = yield* settleCharge(pending, aPayment(pending, { paidAt: createdAt + one.delay }), endpoints)
  if (fate === "refunding") yield* requestRefund(paid)
  if (fate === "refunded") yield* refundCharge(paid, endpoints)
})

const makeException = Effect.fnUntraced(function* ({ paidAt, returnedAt, fate }: History["exceptions"][number]) {
  const payment = anUnmatchedPayment({ paidAt })
  yield* (yield* ChargeStore).recordUnmatched(payment)
  const whole = aReturn(payment, { returnedAt })
  switch (fate) {
    case "open":
      return
    case "refunding":
      return yield* commitException(payment, refundingState())
    case "resolved":
      return yield* commitException(payment, resolved)
    case "partly": {
      const returns = [{ ...whole, amountCents: 1 as typeof whole.amountCents }]
      return yield* commitException(payment, { _tag: "Open" }, { returns })
    }
    case "returned": {
      const state = { _tag: "Refunded", refundId: whole.id, refundedAt: returnedAt } as const
      return yield* commitException(payment, state, { returns: [whole] })
    }
  }
})

const attempt = Effect.fnUntraced(function* (fate: History["deliveries"][number]) {
  const claims = yield* claim()
  const [first] = claims
  if (first !== undefined) {
    const become = { Delivered: {}, Dead: { reason: "HTTP 500" }, Retry: { at: later } }[fate]
    yield* settle([settlement(first, { _tag: fate, ...become } as Parameters<typeof settlement>[1])])
  }
  yield* release(claims)
})

/** Executes the history on an empty store. */
export const happen = Effect.fnUntraced(function* ({ charges, exceptions, deliveries }: History) {
  for (const one of charges) yield* makeCharge(one)
  for (const one of exceptions) yield* makeException(one)
  for (const fate of deliveries) yield* attempt(fate)
  if (deliveries.length > 5) yield* (yield* Outbox).replay(anotherCnpj, { period: { from: 0, until: later } }, later)
})
