import { DueChecks } from "@pixcharge/core"
import type { Charge, PendingCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aChange, aPaidCharge, fixtureNow } from "../../fixtures/Charges.ts"
import { anotherCnpj } from "../../fixtures/Companies.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "../StoreDriver.ts"
import { commit, find, insertCharge, insertPaid, requestRefund } from "../commits.ts"
import { exceptionCheckCases } from "./exceptionCheckCases.ts"
import { lookCases } from "./lookCases.ts"

/** Tests of a store's `DueChecks`. */
export const dueChecksSuite = (
  name: string,
  layer: Layer.Layer<TestedPorts, unknown>,
  hooks: StoreHooks = {},
): void => {
  describe(`${name}: DueChecks`, () => {
    const tests = storeTests(layer, hooks)
    describe("charges", () => chargeCheckCases(tests))
    describe("refunds of exceptions", () => exceptionCheckCases(tests))
    describe("a look", () => lookCases(tests))
  })
}

const leaseMs = 30_000
const now = fixtureNow + 1_000_000
const day = 86_400_000

const claimCharges = (request: { readonly now?: number; readonly limit?: number } = {}) =>
  Effect.flatMap(DueChecks, (checks) => checks.claimCharges({ now, limit: 100, leaseMs, ...request }))

const chargeIds = (charges: ReadonlyArray<Charge>) => charges.map(({ id }) => id)

export const chargeCheckCases = ({ test, neighbour }: StoreTests): void => {
  test("claims charges with due checks, the oldest first, across companies", () =>
    Effect.gen(function* () {
      const second = yield* insertCharge({ checkAt: now - 5 })
      const third = yield* insertCharge({ checkAt: now })
      const first = yield* insertCharge({ checkAt: now - 9, issuer: neighbour })
      yield* insertCharge({ checkAt: now + 1 })
      yield* insertCharge()
      yield* insertPaid({ checkAt: now - 7 })
      expect(chargeIds(yield* claimCharges({ limit: 2 }))).toEqual([first.id, second.id])
      expect(chargeIds(yield* claimCharges({ limit: 2 }))).toEqual([third.id])
      expect(yield* claimCharges()).toEqual([])
    }))

  test("makes a claimed check due again when its lease ends, because its process can crash", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ checkAt: now })
      const [taken] = yield* claimCharges()
      expect(taken).toEqual({ ...charge, checkAt: now + leaseMs })
      expect(yield* find(charge)).toEqual(taken)
      expect(yield* claimCharges({ now: now + leaseMs - 1 })).toEqual([])
      expect(chargeIds(yield* claimCharges({ now: now + leaseMs }))).toEqual([charge.id])
    }))

  test("gives each check to one of many concurrent processes", () =>
    Effect.gen(function* () {
      const made = []
      for (let index = 0; index < 40; index++) made.push(yield* insertCharge({ checkAt: now - index }))
      const taken = yield* Effect.all(
        Array.from({ length: 10 }, () => claimCharges({ limit: 8 })),
        { concurrency: "unbounded" },
      )
      const ids = chargeIds(taken.flat())
      expect(new Set(ids).size).toBe(ids.length)
      // Concurrent claims can find fewer charges than their limit; the next claims take the rest.
      const rest = chargeIds(yield* claimCharges())
      expect([...ids, ...rest].toSorted()).toEqual(chargeIds(made).toSorted())
    }))

  test("claims a charge whose refund hangs, with its payment", () =>
    Effect.gen(function* () {
      const refunding = yield* requestRefund(yield* insertPaid())
      const [taken] = yield* claimCharges()
      expect(taken).toEqual({ ...refunding, checkAt: now + leaseMs })
    }))

  test("claims due checks before checks that a clock far ahead has set", () =>
    Effect.gen(function* () {
      yield* insertCharge({ checkAt: now + day })
      const ahead = yield* insertCharge({ checkAt: now + 3 * day })
      const farthest = yield* insertCharge({ checkAt: now + 40 * day })
      const due = yield* insertCharge({ checkAt: now })
      expect(chargeIds(yield* claimCharges({ limit: 2 }))).toEqual([due.id, farthest.id])
      const [taken] = yield* claimCharges()
      expect(taken).toEqual({ ...ahead, checkAt: now + leaseMs })
      expect(yield* claimCharges()).toEqual([])
    }))

  test("keeps the version of a claimed charge, whose next move ends the check", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ checkAt: now })
      yield* claimCharges()
      const next = aPaidCharge(charge)
      expect((yield* commit(aChange(charge, { next, payments: [next.payment] }))).moved).toBe(true)
      expect(yield* find(charge)).toEqual(next)
      expect(yield* claimCharges({ now: now + 10 * leaseMs })).toEqual([])
    }))

  test("sets, changes and clears a check without moving the charge", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      const charge = yield* insertCharge()
      const other = yield* insertCharge()
      yield* checks.scheduleCharge(charge, now + 5)
      expect(yield* find(charge)).toEqual({ ...charge, checkAt: now + 5 })
      expect(yield* find(other)).toEqual(other)
      yield* checks.scheduleCharge(charge, now)
      expect(chargeIds(yield* claimCharges())).toEqual([charge.id])
      yield* checks.scheduleCharge(charge, undefined)
      expect(yield* find(charge)).toEqual(charge)
      expect(yield* claimCharges({ now: now + 10 * leaseMs })).toEqual([])
    }))

  test("delays a new charge's check until its planned look-up, unless a check is overdue or was scheduled explicitly", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      const charge = yield* insertCharge({ checkAt: now, lookUpAt: now + 600_000 })
      const overdue = yield* insertCharge({ checkAt: now - 900_000, lookUpAt: now })
      const scheduled = yield* insertCharge({ checkAt: now + 45_000, lookUpAt: now + 645_000 })
      expect(yield* find(charge)).toEqual(charge)
      yield* checks.scheduleCharge(scheduled, now - 1)
      expect(chargeIds(yield* claimCharges())).toEqual([overdue.id, scheduled.id])
      const { lookUpAt: _, ...known } = charge
      const { lookUpAt: __, ...taken } = overdue
      expect(yield* find(charge)).toEqual({ ...known, checkAt: now + 600_000 })
      expect(yield* find(overdue)).toEqual({ ...taken, checkAt: now + leaseMs })
      expect(chargeIds(yield* claimCharges({ now: now + 600_000 - 1 }))).not.toContain(charge.id)
      expect(chargeIds(yield* claimCharges({ now: now + 600_000 }))).toContain(charge.id)
    }))

  test("ends the planned look-up of a charge that moves", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge({ checkAt: now, lookUpAt: now + 600_000 })
      const next = aPaidCharge(charge)
      expect((yield* commit(aChange(charge, { next, payments: [next.payment] }))).moved).toBe(true)
      expect(yield* find(charge)).toEqual(next)
      expect(yield* claimCharges({ now: now + 600_000 })).toEqual([])
    }))

  test("allows an unpaid charge's check up to the end of its watch", () =>
    Effect.gen(function* () {
      const watchUntil = now + 90 * day
      const watched = yield* insertCharge({ watchUntil, checkAt: watchUntil + 1_000 })
      const ahead = yield* insertCharge({ watchUntil, checkAt: watchUntil + 2 * day })
      expect(chargeIds(yield* claimCharges())).toEqual([ahead.id])
      expect(chargeIds(yield* claimCharges({ now: watchUntil + 1_000 }))).toContain(watched.id)
    }))

  test("keeps a check that was set while an earlier check ran, with any result of the earlier check", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      for (const made of [{}, { endedAt: now }]) {
        const charge = yield* insertCharge({ checkAt: now })
        const [taken = charge] = yield* claimCharges()
        yield* checks.scheduleCharge(charge, now + 1)
        yield* checks.scheduleCharge(taken, "endedAt" in made ? undefined : now + 5, made)
        expect(yield* find(charge)).toEqual({ ...charge, checkAt: now + 1 })
      }
    }))

  test("ignores a check of a charge that has moved on", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      const charge = yield* insertCharge({ checkAt: now })
      const next = aPaidCharge(charge)
      yield* commit(aChange(charge, { next, payments: [next.payment] }))
      yield* checks.scheduleCharge(charge, now)
      expect(yield* find(charge)).toEqual(next)
      expect(yield* claimCharges()).toEqual([])
    }))

  test("repeats ended checks once for a clock that was set back, but not for one slightly behind", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      const charge = yield* insertCharge({ checkAt: now })
      const [taken = charge] = yield* claimCharges()
      yield* checks.scheduleCharge(taken, undefined, { endedAt: now })
      for (const at of [now + leaseMs, now, now - 59_000]) expect(yield* claimCharges({ now: at })).toEqual([])
      const setBack = now - 3_600_000
      expect(chargeIds(yield* claimCharges({ now: setBack, limit: 1 }))).toEqual([charge.id])
      expect(yield* find(charge)).toEqual({ ...charge, checkAt: setBack + leaseMs })
      expect(yield* claimCharges({ now: setBack })).toEqual([])
      expect(chargeIds(yield* claimCharges({ now: setBack + leaseMs }))).toEqual([charge.id])
    }))

  test("counts ended checks towards a claim's limit, until the charge has moved", () =>
    Effect.gen(function* () {
      const checks = yield* DueChecks
      const charges = []
      for (let index = 0; index < 3; index++) charges.push(yield* insertCharge({ checkAt: now }))
      for (const charge of yield* claimCharges()) yield* checks.scheduleCharge(charge, undefined, { endedAt: now })
      const [first] = charges
      const next = aPaidCharge(first as PendingCharge)
      yield* commit(aChange(first as PendingCharge, { next, payments: [next.payment] }))
      const setBack = now - 3_600_000
      const due = yield* insertCharge({ checkAt: setBack })
      const taken = [yield* claimCharges({ now: setBack, limit: 2 }), yield* claimCharges({ now: setBack, limit: 2 })]
      expect(taken.map(({ length }) => length)).toEqual([2, 1])
      expect(chargeIds(taken.flat()).toSorted()).toEqual(chargeIds([due, ...charges.slice(1)]).toSorted())
    }))

  test("doesn't schedule a check of another company's charge", () =>
    Effect.gen(function* () {
      const charge = yield* insertCharge()
      yield* (yield* DueChecks).scheduleCharge({ ...charge, issuer: anotherCnpj }, now)
      expect(yield* find(charge)).toEqual(charge)
    }))
}
