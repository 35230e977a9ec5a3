import { type LeasedQueue, Outbox } from "@pixcharge/core"
import { chargeEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { describe, expect } from "vitest"
import { aChange, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, alphanumericCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aReturn, aTestEvent } from "../../fixtures/Payments.ts"
import { type StoreHooks, storeTests, type StoreTests, type TestedPorts } from "../StoreDriver.ts"
import { commit, insertPaid, paidEventId } from "../commits.ts"
import { leaseCases } from "./leaseCases.ts"
import { operationCases } from "./operationCases.ts"
import { orderCases } from "./orderCases.ts"
import { partEventCases } from "./partEventCases.ts"
import {
  claim,
  claimedLeases,
  claimQueues,
  due,
  eventIds,
  later,
  listDeliveries,
  queueEvents,
  settle,
  settleAll,
  settlement,
} from "./queue.ts"
import { replaySelectionCases, replayCases } from "./replayCases.ts"
import { settleCases } from "./settleCases.ts"

/** Tests of a store's `Outbox`. */
export const outboxSuite = (name: string, layer: Layer.Layer<TestedPorts, unknown>, hooks: StoreHooks = {}): void => {
  describe(`${name}: Outbox`, () => {
    const tests = storeTests(layer, hooks)
    describe("claim", () => claimCases(tests))
    describe("leases", () => leaseCases(tests))
    describe("settle", () => settleCases(tests))
    describe("order and supersession", () => {
      orderCases(tests)
      partEventCases(tests)
    })
    describe("lists, replay and purge", () => {
      operationCases(tests)
      replaySelectionCases(tests)
    })
    describe("replay during a refund", () => replayCases(tests))
  })
}

export const claimCases = ({ test, neighbour }: StoreTests): void => {
  test("claims nothing from an empty outbox", () =>
    Effect.gen(function* () {
      expect(yield* claim()).toEqual([])
    }))

  test("makes a move's event due at the time of the move", () =>
    Effect.gen(function* () {
      const charge = yield* insertPaid({}, ["loja"])
      expect(yield* due(charge.updatedAt - 1)).toEqual([])
      const [claimed, ...others] = yield* claim({ now: charge.updatedAt })
      expect(others).toEqual([])
      expect([claimed?.event.id, claimed?.endpointId, claimed?.attempt]).toEqual([paidEventId(charge), "loja", 1])
    }))

  test("returns the complete event in a claim", () =>
    Effect.gen(function* () {
      const delivery = yield* queueEvents("loja", { companyName: 'D\'Ávila "& Filhos" \\ 🦜' })
      const [claimed] = yield* claim()
      expect(claimed?.event).toEqual(delivery.event)
    }))

  test("claims the queues that wait longest first, up to the limit", () =>
    Effect.gen(function* () {
      const third = yield* queueEvents("loja", { at: fixtureNow + 3 })
      const first = yield* queueEvents("parceiro", { at: fixtureNow + 1 })
      const second = yield* queueEvents("loja", { at: fixtureNow + 2, issuer: neighbour })
      const claims = yield* claim({ limit: 2 })
      expect(eventIds(claims).toSorted()).toEqual(eventIds([first, second]).toSorted())
      expect(eventIds(yield* claim({ limit: 2 }))).toEqual(eventIds([third]))
    }))

  test("returns the oldest deliveries of a claimed queue, up to the limit", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja", { at: fixtureNow + 3 })
      const first = yield* queueEvents("loja", { at: fixtureNow + 1 })
      const second = yield* queueEvents("loja", { at: fixtureNow + 2 })
      const { queues } = yield* claimQueues({ deliveries: 2 })
      expect(queues.map((queue) => eventIds(queue.due))).toEqual([eventIds([first, second])])
      expect(queues[0]?.lease).toMatchObject({ issuer: aCnpj, endpointId: "loja" })
    }))

  test("separates the queues of a reseller's companies at the reseller's endpoint", () =>
    Effect.gen(function* () {
      const issuers = [aCnpj, anotherCnpj, alphanumericCnpj]
      for (let index = 0; index < 9; index++) {
        yield* queueEvents("revenda", { issuer: issuers[index % 3] ?? aCnpj, at: fixtureNow + index })
      }
      const one = yield* claim({ limit: 1 })
      const others = yield* claim()
      const leased = [one, others].map((claims) => claimedLeases(claims).map(({ issuer }) => issuer))
      expect([leased[0]?.length, leased.flat().toSorted()]).toEqual([1, issuers.toSorted()])
      for (const { event, lease, endpointId } of [...one, ...others]) {
        expect([event.issuer, endpointId]).toEqual([lease.issuer, "revenda"])
      }
      expect([one.length, others.length]).toEqual([3, 6])
    }))

  test("returns only due deliveries, and the time at which the next delivery is due", () =>
    Effect.gen(function* () {
      expect(yield* claimQueues({ excludedEndpoints: ["parada"] })).toEqual({ queues: [] })
      yield* queueEvents("loja", { at: later + 7 })
      yield* queueEvents("loja", { at: later + 1 })
      const now = yield* queueEvents("parceiro", { at: later })
      const { queues, nextDueAt } = yield* claimQueues({ now: later })
      expect(queues.map((queue) => eventIds(queue.due))).toEqual([eventIds([now])])
      expect(nextDueAt).toBe(later + 1)
      const [{ lease }] = queues as [LeasedQueue]
      yield* settle([settlement({ ...now, attempt: 1, number: 1, lease }, { _tag: "Delivered" })])
      const next = yield* claimQueues({ now: later + 1 })
      expect(next.queues.flatMap((queue) => queue.due)).toHaveLength(1)
      expect(next.nextDueAt).toBe(later + 7)
    }))

  test("returns a time that has come if a due delivery is left, such as one in a leased queue", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* queueEvents("loja", { at: fixtureNow + 1 })
      yield* queueEvents("parceiro", { at: later + 7 })
      expect((yield* claimQueues({ now: fixtureNow - 1 })).nextDueAt).toBe(fixtureNow)
      expect((yield* claimQueues({ deliveries: 1 })).nextDueAt).toBeLessThanOrEqual(later)
      expect((yield* claimQueues()).nextDueAt).toBeLessThanOrEqual(later)
    }))

  test("skips a queue if all its due deliveries must wait for earlier deliveries", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Retry", at: later + 1_000 })
      const refundedCharge = {
        ...paid,
        _tag: "Refunded" as const,
        version: paid.version + 1,
        refundedAt: paid.updatedAt + 5,
        returns: [aReturn(paid.payment)],
      }
      const deliveries = [{ event: chargeEvent(refundedCharge, "Padaria Aurora Ltda"), endpointId: "loja" }]
      yield* commit(aChange(paid, { next: refundedCharge, deliveries }))
      expect((yield* claimQueues()).queues).toEqual([])
      const unblocked = [yield* queueEvents("parceiro"), yield* queueEvents("loja", { issuer: anotherCnpj })]
      const { queues } = yield* claimQueues()
      expect(queues.flatMap((queue) => eventIds(queue.due)).toSorted()).toEqual(eventIds(unblocked).toSorted())
      expect(queues).toHaveLength(2)
    }))

  test("never gives one queue to two workers", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 60; index++) yield* queueEvents(`e${index % 20}`, { at: fixtureNow + index })
      const claims = yield* Effect.all(
        Array.from({ length: 12 }, () => claim({ limit: 3 })),
        { concurrency: "unbounded" },
      )
      claims.push(yield* claim())
      const ids = eventIds(claims.flat())
      expect(ids).toHaveLength(60)
      expect(new Set(ids).size).toBe(60)
      expect(claimedLeases(claims.flat())).toHaveLength(20)
      expect(yield* claim()).toEqual([])
    }))

  test("claims a queue behind thousands of deliveries in leased queues", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      // These are more deliveries than any store reads at once.
      yield* Effect.forEach(
        Array.from({ length: 2_500 }, (_, index) => index),
        (at) => outbox.add({ event: aTestEvent(), endpointId: "longa" }, fixtureNow + at),
        { concurrency: 8, discard: true },
      )
      expect(yield* claim({ deliveries: 1 })).toHaveLength(1)
      const laterDeliveries = [
        yield* queueEvents("loja", { at: fixtureNow + 9_000 }),
        yield* queueEvents("parceiro", { at: fixtureNow + 9_000, issuer: anotherCnpj }),
      ]
      const claims = [yield* claim({ limit: 1 }), yield* claim({ limit: 1, excludedEndpoints: ["outra"] })]
      expect(eventIds(claims.flat()).toSorted()).toEqual(eventIds(laterDeliveries).toSorted())
      expect(yield* claim()).toEqual([])
    }))

  test("sends one event to one endpoint once", () =>
    Effect.gen(function* () {
      const delivery = yield* queueEvents("loja")
      const outbox = yield* Outbox
      yield* outbox.add(delivery, later)
      yield* outbox.add({ ...delivery, endpointId: "parceiro" }, fixtureNow)
      const claims = yield* due()
      expect(claims.map(({ endpointId }) => endpointId).toSorted()).toEqual(["loja", "parceiro"])
      yield* settleAll({ _tag: "Delivered" })
      yield* outbox.add(delivery, later)
      expect(yield* due()).toEqual([])
      expect(yield* listDeliveries()).toHaveLength(2)
      yield* outbox.add({ ...delivery, endpointId: "terceiro" }, fixtureNow)
      yield* outbox.add({ ...delivery, event: { ...delivery.event, issuer: anotherCnpj } }, fixtureNow)
      expect(yield* due()).toHaveLength(2)
    }))

  test("skips excluded endpoints, and claims the queues behind them", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 30; index++) yield* queueEvents("parada", { at: fixtureNow + index })
      const laterDeliveries = yield* queueEvents("loja", { at: fixtureNow + 100 })
      expect(eventIds(yield* claim({ limit: 5, excludedEndpoints: ["parada", "outra"] }))).toEqual(
        eventIds([laterDeliveries]),
      )
      expect(yield* claim()).toHaveLength(30)
    }))

  test("counts waiting deliveries in the depth, in flight or not, and shows the oldest one's time", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      expect(yield* outbox.depth).toEqual({ waiting: 0 })
      yield* queueEvents("loja", { at: fixtureNow + 5 })
      yield* queueEvents("loja", { at: fixtureNow + 2, issuer: anotherCnpj })
      yield* claim({ limit: 1 })
      expect(yield* outbox.depth).toEqual({ waiting: 2, oldestAt: fixtureNow + 2 })
    }))

  test("ignores superseded deliveries in the depth and the next due time", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Retry", at: later + 1 })
      expect((yield* claimQueues()).nextDueAt).toBe(later + 1)
      yield* (yield* Outbox).supersede(paid.issuer, paid.id, later)
      expect(yield* claimQueues({ excludedEndpoints: ["parada"] })).toEqual({ queues: [] })
      expect(yield* (yield* Outbox).depth).toEqual({ waiting: 0 })
    }))
}
