import { ChargeStore, type Insertion } from "@pixcharge/core"
import type { Charge, PendingCharge } from "@pixcharge/core/charges"
import { maximumChargeCents, minimumChargeCents } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { expect } from "vitest"
import * as arbitrary from "../../fixtures/arbitraries/Charge.ts"
import { aChange, aChargeId, aPendingCharge, cents } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { commit, find, insertCharge, insertPaid } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"

const insert = (charge: PendingCharge) => Effect.flatMap(ChargeStore, (store) => store.insert(charge))

const existingCharges = (insertions: ReadonlyArray<Insertion>): ReadonlyArray<Charge> =>
  insertions.flatMap((insertion) => (insertion._tag === "Exists" ? [insertion.charge] : []))

export const insertCases = ({ test }: StoreTests): void => {
  test("a new charge is inserted, and found as it was", () =>
    Effect.gen(function* () {
      const charge = aPendingCharge()
      expect(yield* insert(charge)).toEqual({ _tag: "Inserted" })
      expect(yield* find(charge)).toEqual(charge)
    }))

  test("an unused id is not found", () =>
    Effect.gen(function* () {
      yield* insertCharge()
      expect(yield* find({ issuer: aCnpj, id: aChargeId() })).toBeUndefined()
    }))

  test("a taken id returns its charge, which stays unchanged", () =>
    Effect.gen(function* () {
      const first = yield* insertCharge()
      const second = aPendingCharge({ id: first.id, amountCents: cents(5) })
      expect(yield* insert(second)).toEqual({ _tag: "Exists", charge: first })
      expect(yield* find(first)).toEqual(first)
    }))

  test("the id of a paid charge returns the paid charge", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid()
      expect(yield* insert(aPendingCharge({ id: paid.id }))).toEqual({ _tag: "Exists", charge: paid })
    }))

  test("of 40 charges inserted at once under one id, one is inserted and the others get it", () =>
    Effect.gen(function* () {
      const id = aChargeId()
      const attempts = Array.from({ length: 40 }, () => aPendingCharge({ id }))
      const insertions = yield* Effect.all(attempts.map(insert), { concurrency: "unbounded" })
      const stored = yield* find({ issuer: aCnpj, id })
      expect(insertions.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(1)
      expect(existingCharges(insertions)).toEqual(Array(39).fill(stored))
      const winner = attempts[insertions.findIndex(({ _tag }) => _tag === "Inserted")]
      expect(stored).toEqual(winner)
    }))

  test("new and taken ids may be inserted in the same moment", () =>
    Effect.gen(function* () {
      const taken = yield* insertCharge()
      const twins = [aPendingCharge(), aPendingCharge()]
      const repeated = twins.flatMap((twin) => [twin, { ...twin, transactionId: crypto.randomUUID() }])
      const attempts = [{ ...taken, transactionId: crypto.randomUUID() }, ...repeated, aPendingCharge()]
      const insertions = yield* Effect.all(attempts.map(insert), { concurrency: "unbounded" })
      expect(insertions.filter(({ _tag }) => _tag === "Inserted")).toHaveLength(3)
      expect(insertions[0]).toEqual({ _tag: "Exists", charge: taken })
      for (const charge of existingCharges(insertions)) expect(yield* find(charge)).toEqual(charge)
    }))

  test("two companies may use the same id, and never see each other's charge", () =>
    Effect.gen(function* () {
      const id = aChargeId()
      const ours = aPendingCharge({ id })
      const theirs = aPendingCharge({ id, issuer: anotherCnpj, amountCents: cents(7) })
      const insertions = yield* Effect.all([insert(ours), insert(theirs)], { concurrency: "unbounded" })
      expect(insertions).toEqual([{ _tag: "Inserted" }, { _tag: "Inserted" }])
      expect(yield* find(ours)).toEqual(ours)
      expect(yield* find(theirs)).toEqual(theirs)
      expect(yield* find({ issuer: alphanumericCnpj, id })).toBeUndefined()
    }))

  test("the smallest and the largest amount keep every cent", () =>
    Effect.gen(function* () {
      for (const amount of [minimumChargeCents, maximumChargeCents - 1, maximumChargeCents]) {
        const charge = yield* insertCharge({ amountCents: cents(amount) })
        expect((yield* find(charge))?.amountCents).toBe(amount)
      }
    }))

  test("300 charges inserted at once are all found", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      const charges = Array.from({ length: 300 }, (_, at) => aPendingCharge({ issuer: issuers[at % 3] ?? aCnpj }))
      const insertions = yield* Effect.all(charges.map(insert), { concurrency: "unbounded" })
      expect(new Set(insertions.map(({ _tag }) => _tag))).toEqual(new Set(["Inserted"]))
      expect(yield* Effect.all(charges.map(find), { concurrency: "unbounded" })).toEqual(charges)
    }))

  test("every field of a new charge is read back exactly, with any letters and amounts", () =>
    Effect.gen(function* () {
      for (const charge of fc.sample(arbitrary.pendingCharge, process.env["LONG"] ? 500 : 60)) {
        yield* insert(charge)
        expect(yield* find(charge)).toEqual(charge)
      }
    }))

  test("every field of every state is read back exactly", () =>
    Effect.gen(function* () {
      for (const [first, ...later] of fc.sample(arbitrary.chargeLife, process.env["LONG"] ? 500 : 60)) {
        yield* insert(first)
        let read: Charge = first
        for (const next of later) {
          const payments = next._tag === "Paid" && read._tag === "Pending" ? [next.payment] : []
          const returns = next.returns.slice(read.returns.length)
          expect((yield* commit(aChange(read, { next, payments, returns }))).moved).toBe(true)
          expect(yield* find(next)).toEqual(next)
          read = next
        }
      }
    }))
}
