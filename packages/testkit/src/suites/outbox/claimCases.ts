import { Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { insertedAndPaid, paidEventId } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { claim, eventIds, later, leaseMs, listed, queued } from "./queue.ts"

export const claimCases = ({ test }: StoreTests): void => {
  test("an empty outbox has nothing to claim", () =>
    Effect.gen(function* () {
      expect(yield* claim()).toEqual([])
    }))

  test("what a move tells is due at the moment of the move", () =>
    Effect.gen(function* () {
      const charge = yield* insertedAndPaid({}, ["loja"])
      expect(yield* claim({ now: charge.updatedAt - 1 })).toEqual([])
      const [claimed, ...others] = yield* claim({ now: charge.updatedAt })
      expect(others).toEqual([])
      expect([claimed?.event.id, claimed?.endpointId, claimed?.attempt]).toEqual([paidEventId(charge), "loja", 1])
    }))

  test("a claim carries the event whole", () =>
    Effect.gen(function* () {
      const delivery = yield* queued("loja", { companyName: 'D\'Ávila "& Filhos" \\ 🦜' })
      const [claimed] = yield* claim()
      expect(claimed?.event).toEqual(delivery.event)
    }))

  test("the oldest comes first, and no more than the limit", () =>
    Effect.gen(function* () {
      const third = yield* queued("loja", { at: fixtureNow + 3 })
      const first = yield* queued("parceiro", { at: fixtureNow + 1 })
      const second = yield* queued("loja", { at: fixtureNow + 2, issuer: anotherCnpj })
      expect(eventIds(yield* claim({ limit: 2 }))).toEqual(eventIds([first, second]))
      expect(eventIds(yield* claim({ limit: 2 }))).toEqual(eventIds([third]))
    }))

  test("what is due later waits", () =>
    Effect.gen(function* () {
      yield* queued("loja", { at: later + 1 })
      const due = yield* queued("loja", { at: later })
      expect(eventIds(yield* claim({ now: later }))).toEqual(eventIds([due]))
      expect(yield* claim({ now: later + 1 })).toHaveLength(1)
    }))

  test("what is claimed is nobody else's", () =>
    Effect.gen(function* () {
      for (let at = 0; at < 60; at++) yield* queued(`e${at % 7}`, { at: fixtureNow + at })
      const claims = yield* Effect.all(
        Array.from({ length: 12 }, () => claim({ limit: 10 })),
        { concurrency: "unbounded" },
      )
      const ids = eventIds(claims.flat())
      expect(ids).toHaveLength(60)
      expect(new Set(ids).size).toBe(60)
      expect(new Set(claims.flat().map(({ leaseToken }) => leaseToken)).size).toBe(60)
      expect(yield* claim()).toEqual([])
    }))

  test("a delivery is one event at one endpoint, once", () =>
    Effect.gen(function* () {
      const delivery = yield* queued("loja")
      const outbox = yield* Outbox
      yield* outbox.add(delivery, later)
      yield* outbox.add({ ...delivery, endpointId: "parceiro" }, fixtureNow)
      const claims = yield* claim()
      expect(claims.map(({ endpointId }) => endpointId).toSorted()).toEqual(["loja", "parceiro"])
      yield* outbox.add(delivery, later)
      expect(yield* claim()).toEqual([])
      expect(yield* listed()).toHaveLength(2)
    }))

  test("endpoints that are to be left alone are, and those behind them are not held up", () =>
    Effect.gen(function* () {
      for (let at = 0; at < 30; at++) yield* queued("parada", { at: fixtureNow + at })
      const due = yield* queued("loja", { at: fixtureNow + 100 })
      expect(eventIds(yield* claim({ limit: 5, except: ["parada", "outra"] }))).toEqual(eventIds([due]))
      expect(yield* claim({ limit: 5 })).toHaveLength(5)
    }))

  test("buckets share the companies among themselves, each in exactly one", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      for (let at = 0; at < 30; at++) yield* queued("loja", { issuer: issuers[at % 3] ?? aCnpj, at: fixtureNow + at })
      const buckets = []
      for (let index = 0; index < 4; index++) buckets.push(yield* claim({ bucket: { index, of: 4 } }))
      expect(buckets.flat()).toHaveLength(30)
      for (const issuer of issuers) {
        const holding = buckets.filter((bucket) => bucket.some(({ event }) => event.issuer === issuer))
        expect(holding).toHaveLength(1)
      }
    }))

  test("the one bucket of one holds every company", () =>
    Effect.gen(function* () {
      for (const issuer of [aCnpj, anotherCnpj]) yield* queued("loja", { issuer })
      expect(yield* claim({ bucket: { index: 0, of: 1 } })).toHaveLength(2)
    }))

  test("depth counts what waits, in flight or not, and tells since when the oldest does", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      expect(yield* outbox.depth).toEqual({ waiting: 0 })
      yield* queued("loja", { at: fixtureNow + 5 })
      yield* queued("loja", { at: fixtureNow + 2, issuer: anotherCnpj })
      yield* claim({ limit: 1, leaseMs })
      expect(yield* outbox.depth).toEqual({ waiting: 2, oldestAt: fixtureNow + 2 })
    }))
}
