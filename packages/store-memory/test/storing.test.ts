import { AuditLog, ChargeStore, ExceptionStore, Outbox, StoreUnavailable } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import { aChange, anUnmatchedPayment, aPendingCharge, aTestEvent } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { storing } from "../src/storing.ts"

/** Whether a value is stored; asserts that a refused value isn't written. */
const isStored = (value: unknown): boolean => {
  let writes = 0
  const stored = Effect.runSync(Effect.result(storing("insert", value, () => ++writes)))
  const isSuccess = stored._tag === "Success"
  expect(writes).toBe(isSuccess ? 1 : 0)
  if (!isSuccess) {
    expect(stored.failure).toBeInstanceOf(StoreUnavailable)
    expect(stored.failure).toMatchObject({ operation: "insert", isRefused: true, cause: "a value can't be stored" })
  }
  return isSuccess
}

describe("storing", () => {
  test.each([
    ["amountCents", [0, -1, Number.MAX_SAFE_INTEGER], [0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN]],
    ["paidAt", [0, 1_800_000_000_000, 0.5], [Number.NaN, Infinity, -8.64e15]],
    ["payableUntil", [0, 1_800_000_000_000], [Number.NaN, Infinity, -8.64e15]],
    ["version", [0, 2 ** 31 - 1, -(2 ** 31)], [2 ** 31, 0.5, Number.NaN]],
    ["attempt", [1, 2 ** 31 - 1], [2 ** 31, 0.5]],
    ["latencyMs", [0, 0.5, 1e300], [Number.NaN, Infinity]],
    ["text", ["", "a", "\ud83e\udd9c"], ["a\0", "\ud83e"]],
    ["flag", [true, false, null, undefined], []],
  ] as ReadonlyArray<readonly [string, ReadonlyArray<unknown>, ReadonlyArray<unknown>]>)(
    "refuses a value that Postgres couldn't store, by its name and kind: %s",
    (name, good, bad) => {
      expect(good.map((value) => isStored({ [name]: value }))).toEqual(good.map(() => true))
      expect(bad.map((value) => isStored({ [name]: value }))).toEqual(bad.map(() => false))
    },
  )

  test("refuses a value that Postgres couldn't store, at any depth and by itself", () => {
    expect([isStored({ a: [{ b: ["c", { d: "\0" }] }] }), isStored("\0"), isStored([1, Number.NaN])]).toEqual([
      false,
      false,
      false,
    ])
    expect([isStored({ a: [{ b: ["c", { d: "e" }] }] }), isStored("a"), isStored([1, 2])]).toEqual([true, true, true])
  })
})

itWith(memoryStore()).effect("a refused write names its operation", () =>
  Effect.gen(function* () {
    const odd = "a\0"
    const charge = aPendingCharge()
    const { issuer } = charge
    const [store, exceptions, outbox, audit] = [
      yield* ChargeStore,
      yield* ExceptionStore,
      yield* Outbox,
      yield* AuditLog,
    ]
    const payment = anUnmatchedPayment({ endToEndId: odd })
    const next = { _tag: "Resolved", note: odd, resolvedAt: 1 } as const
    const writes = [
      store.insert({ ...charge, messageToPayer: odd }),
      store.commit(aChange(charge, { payments: [payment] })),
      store.recordUnmatched(payment),
      exceptions.commit({ issuer, endToEndId: "E1", expectedVersion: 0, movedAt: 0, next, returns: [] }),
      outbox.add({ event: aTestEvent({ companyName: odd }), endpointId: "a" }, 1),
      audit.append(issuer, { kind: "eventsReplayed", deliveries: 1, name: odd }),
    ]
    const refused = yield* Effect.forEach(writes as ReadonlyArray<Effect.Effect<unknown, StoreUnavailable>>, (write) =>
      Effect.map(Effect.flip(write), ({ operation }) => operation),
    )
    expect(refused).toEqual(["insert", "commit", "recordUnmatched", "commitException", "add", "audit"])
  }),
)
