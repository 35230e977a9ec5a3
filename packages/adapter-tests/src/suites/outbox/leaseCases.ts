import { Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import type { StoreTests } from "../StoreDriver.ts"
import {
  claim,
  due,
  eventIds,
  later,
  leaseMs,
  claimedLeases,
  listDeliveries,
  queueEvents,
  read,
  release,
  settle,
  settlement,
} from "./queue.ts"

/** Leases one queue twice: for a worker whose lease ends, and then for a second worker. */
const takenOver = Effect.fnUntraced(function* (elapse: StoreTests["elapse"]) {
  yield* queueEvents("loja")
  const [lost] = yield* claim({ leaseMs: 1 })
  yield* elapse(60)
  const [held] = yield* claim()
  if (lost === undefined || held === undefined) throw new Error("expected a waiting delivery")
  return { lost, held }
})

export const leaseCases = ({ test, elapse }: StoreTests): void => {
  test("lets a second worker claim a queue after its lease ended, with a new token and as a first attempt", () =>
    Effect.gen(function* () {
      const delivery = yield* queueEvents("loja")
      const [lost] = yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      const [found, ...others] = yield* claim()
      expect(others).toEqual([])
      expect(found?.event).toEqual(delivery.event)
      expect(found?.attempt).toBe(1)
      expect(found?.lease.token).not.toBe(lost?.lease.token)
    }))

  test("doesn't end a lease when business time moves", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* claim({ leaseMs })
      expect(yield* claim({ now: later + 1_000 * leaseMs })).toEqual([])
    }))

  test("keeps a renewed lease until its new end", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja", { at: fixtureNow })
      const lapsed = yield* queueEvents("parceiro", { at: fixtureNow + 1 })
      const [renewed, lapsing] = yield* claim({ leaseMs: 100 })
      if (renewed === undefined || lapsing === undefined) throw new Error("expected two waiting deliveries")
      expect(yield* (yield* Outbox).renew([renewed.lease], leaseMs)).toEqual([renewed.lease.token])
      yield* elapse(200)
      expect(eventIds(yield* claim())).toEqual(eventIds([lapsed]))
    }))

  test("ignores a settlement by a process whose queue was taken over", () =>
    Effect.gen(function* () {
      const { lost, held } = yield* takenOver(elapse)
      expect(yield* settle([settlement(lost, { _tag: "Delivered" })])).toEqual([])
      expect((yield* listDeliveries())[0]).toMatchObject({ status: "waiting", attempts: 0 })
      expect(yield* (yield* Outbox).attempts(lost.event.issuer, lost.event.id, "loja")).toEqual([])
      expect(yield* claim()).toEqual([])
      const both = [lost, held].map((claimed) => settlement(claimed, { _tag: "Delivered" }))
      expect(yield* settle(both)).toEqual([held.event.id])
      expect((yield* listDeliveries())[0]).toMatchObject({ status: "delivered", attempts: 1 })
    }))

  test("ignores reads, renewals and releases by a process whose queue was taken over", () =>
    Effect.gen(function* () {
      const { lost, held } = yield* takenOver(elapse)
      const outbox = yield* Outbox
      expect(yield* outbox.renew([lost.lease, held.lease], leaseMs)).toEqual([held.lease.token])
      const queues = [lost, held].map(({ lease }) => ({ lease, limit: 10 }))
      expect((yield* outbox.read(queues, later)).map(({ lease }) => lease.token)).toEqual([held.lease.token])
      yield* release([lost])
      expect(yield* claim()).toEqual([])
      yield* release([held])
      expect(yield* claim()).toHaveLength(1)
    }))

  test("accepts a lease's token only for the leased queue", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const delivery = yield* queueEvents("loja")
      yield* outbox.add({ ...delivery, endpointId: "parceiro" }, fixtureNow)
      yield* outbox.add({ ...delivery, event: { ...delivery.event, issuer: anotherCnpj } }, fixtureNow)
      const claims = yield* claim()
      const own = claims.find(({ lease }) => lease.issuer === aCnpj && lease.endpointId === "loja")
      if (own === undefined) throw new Error("expected three waiting deliveries")
      for (const other of [{ issuer: anotherCnpj }, { endpointId: "parceiro" }]) {
        const lease = { ...own.lease, ...other }
        expect(yield* outbox.renew([lease], 1)).toEqual([])
        expect(yield* outbox.read([{ lease, limit: 10 }], later)).toEqual([])
        expect(yield* settle([settlement({ ...own, lease }, { _tag: "Delivered" })])).toEqual([])
      }
      expect(yield* outbox.renew([own.lease], leaseMs)).toEqual([own.lease.token])
      expect(yield* listDeliveries({ status: "waiting" })).toHaveLength(2)
      const leases = [{ issuer: anotherCnpj }, { endpointId: "parceiro" }, {}].map((other) => ({
        ...own.lease,
        ...other,
      }))
      const all = leases.map((lease) => settlement({ ...own, lease }, { _tag: "Delivered" }))
      expect(yield* settle(all)).toEqual([own.event.id])
      expect(yield* listDeliveries({ status: "waiting" })).toHaveLength(1)
    }))

  test("releases and claims a queue without effect on other companies and endpoints", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* queueEvents("parceiro")
      yield* queueEvents("loja", { issuer: anotherCnpj })
      const claims = yield* claim()
      for (const one of claims) {
        yield* release([one])
        const again = yield* claim()
        expect(eventIds(again)).toEqual([one.event.id])
        yield* (yield* Outbox).renew(claimedLeases(claims.filter((other) => other !== one)), leaseMs)
        yield* (yield* Outbox).renew(claimedLeases(again), 1)
        yield* elapse(60)
        expect(eventIds(yield* claim())).toEqual([one.event.id])
      }
    }))

  test("accepts a settlement after the lease ended if no other process took the queue", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      const [slow] = yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      if (slow === undefined) throw new Error("expected a waiting delivery")
      expect(yield* settle([settlement(slow, { _tag: "Delivered" })])).toEqual([slow.event.id])
      expect(yield* claim()).toEqual([])
    }))

  test("lets any worker claim a released queue immediately, or after the requested pause", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* release(yield* claim())
      const again = yield* claim()
      expect(again).toHaveLength(1)
      yield* release(again, 200)
      expect(yield* claim()).toEqual([])
      yield* elapse(300)
      expect(yield* claim()).toHaveLength(1)
    }))

  test("keeps a queue leased after a settlement, until the queue is released", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 2; index++) yield* queueEvents("loja", { at: fixtureNow + index })
      const [first, second] = yield* claim()
      if (first === undefined || second === undefined) throw new Error("expected two waiting deliveries")
      yield* settle([settlement(first, { _tag: "Delivered" })])
      expect(yield* claim()).toEqual([])
      yield* release([first])
      expect(eventIds(yield* claim())).toEqual([second.event.id])
    }))

  test("gives a queue to one of many workers that claim it after its lease ended", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* claim({ leaseMs: 1 })
      yield* elapse(60)
      const claims = yield* Effect.all(
        Array.from({ length: 16 }, () => claim()),
        { concurrency: "unbounded" },
      )
      expect(claims.flat()).toHaveLength(1)
    }))

  test("never sends a delivery twice while many workers claim, settle and release", () =>
    Effect.gen(function* () {
      const count = 60
      for (let index = 0; index < count; index++) yield* queueEvents(`e${index % 5}`, { at: fixtureNow + index })
      const sent: Array<string> = []
      const work = Effect.gen(function* () {
        for (let idle = 0; idle < 3;) {
          const claims = yield* claim({ limit: 2, deliveries: 3 })
          idle = claims.length === 0 ? idle + 1 : 0
          sent.push(...eventIds(claims))
          const settlements = claims.map((claimed) => settlement(claimed, { _tag: "Delivered" }))
          expect(yield* settle(settlements)).toHaveLength(claims.length)
          yield* release(claims)
        }
      })
      yield* Effect.all(
        Array.from({ length: 6 }, () => work),
        { concurrency: "unbounded" },
      )
      yield* work
      expect(sent).toHaveLength(count)
      expect(new Set(sent).size).toBe(count)
      expect(yield* due()).toEqual([])
    }))

  test("lets the owner of a leased queue read later commits, up to the limit", () =>
    Effect.gen(function* () {
      const first = yield* queueEvents("loja", { at: fixtureNow })
      const claims = yield* claim()
      const second = yield* queueEvents("loja", { at: fixtureNow + 1 })
      const third = yield* queueEvents("loja", { at: fixtureNow + 2 })
      yield* queueEvents("parceiro")
      expect(eventIds(yield* read(claims))).toEqual(eventIds([first, second, third]))
      expect(eventIds(yield* read(claims, later, 2))).toEqual(eventIds([first, second]))
      expect(yield* read(claims, fixtureNow - 1)).toEqual([])
      expect(claimedLeases(yield* claim()).map(({ endpointId }) => endpointId)).toEqual(["parceiro"])
    }))
}
