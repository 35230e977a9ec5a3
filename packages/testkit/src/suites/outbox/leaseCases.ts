import { Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { claim, eventIds, later, leaseMs, listed, queued, settle, settlement } from "./queue.ts"

export const leaseCases = ({ test, elapse }: StoreTests): void => {
  test("a claim whose lease ended is open to others, under a new token, and still untried", () =>
    Effect.gen(function* () {
      const delivery = yield* queued("loja")
      const [lost] = yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      const [found, ...others] = yield* claim()
      expect(others).toEqual([])
      expect(found?.event).toEqual(delivery.event)
      expect(found?.attempt).toBe(1)
      expect(found?.leaseToken).not.toBe(lost?.leaseToken)
    }))

  test("leases don't run on business time: a moved clock ends none", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      yield* claim({ leaseMs })
      expect(yield* claim({ now: later + 1_000 * leaseMs })).toEqual([])
    }))

  test("a renewed lease holds for its new time", () =>
    Effect.gen(function* () {
      yield* queued("loja", { at: fixtureNow })
      yield* queued("loja", { at: fixtureNow + 1 })
      const [renewed, lapsing] = yield* claim({ leaseMs: 100 })
      if (renewed === undefined || lapsing === undefined) throw new Error("two deliveries wait")
      expect(yield* (yield* Outbox).renew([renewed], leaseMs)).toEqual([renewed.leaseToken])
      yield* elapse(200)
      expect(eventIds(yield* claim())).toEqual(eventIds([lapsing]))
    }))

  test("a settlement under an old token changes nothing", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      const [lost] = yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      const [held] = yield* claim()
      if (lost === undefined || held === undefined) throw new Error("a delivery waits")
      expect(yield* settle([settlement(lost, { _tag: "Delivered" })])).toEqual([])
      expect((yield* listed())[0]).toMatchObject({ status: "waiting", attempts: 0 })
      expect(yield* (yield* Outbox).attempts(lost.event.issuer, lost.event.id, "loja")).toEqual([])
      expect(yield* settle([settlement(held, { _tag: "Delivered" })])).toEqual([held.leaseToken])
      expect((yield* listed())[0]).toMatchObject({ status: "delivered", attempts: 1 })
    }))

  test("an old token is not renewed", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      const [lost] = yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      const [held] = yield* claim()
      if (lost === undefined || held === undefined) throw new Error("a delivery waits")
      expect(yield* (yield* Outbox).renew([lost, held], leaseMs)).toEqual([held.leaseToken])
    }))

  test("a settlement that comes after the lease counts while nobody else took the delivery", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      const [slow] = yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      if (slow === undefined) throw new Error("a delivery waits")
      expect(yield* settle([settlement(slow, { _tag: "Delivered" })])).toEqual([slow.leaseToken])
      expect(yield* claim()).toEqual([])
    }))

  test("a settled claim is over: it is neither settled nor renewed again", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      const [claimed] = yield* claim()
      if (claimed === undefined) throw new Error("a delivery waits")
      yield* settle([settlement(claimed, { _tag: "Retry", at: later })])
      expect(yield* settle([settlement(claimed, { _tag: "Dead", reason: "late" })])).toEqual([])
      expect(yield* (yield* Outbox).renew([claimed], leaseMs)).toEqual([])
      expect(yield* claim()).toHaveLength(1)
    }))

  test("of many workers after a lapse, one gets the delivery", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      const claims = yield* Effect.all(
        Array.from({ length: 16 }, () => claim()),
        { concurrency: "unbounded" },
      )
      expect(claims.flat()).toHaveLength(1)
    }))
}
