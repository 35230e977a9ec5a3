import { type DeliveryAttempt, Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { claim, eventIds, later, listed, queued, settle, settleAll, settlement } from "./queue.ts"

const refused: DeliveryAttempt = {
  startedAt: fixtureNow,
  latencyMs: 31,
  status: 503,
  error: "the receiver answered 503",
  answer: '<h1>"fora" do ar \\ 🦜</h1>',
}

export const settleCases = ({ test }: StoreTests): void => {
  test("what was delivered is not sent again", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      const [claimed] = yield* settleAll({ _tag: "Delivered" })
      expect(yield* claim({ now: later + 1e9 })).toEqual([])
      const [record] = yield* listed()
      expect(record).toEqual({
        event: claimed?.event,
        endpointId: "loja",
        status: "delivered",
        attempts: 1,
        settledAt: later,
        lastAttempt: { startedAt: later, latencyMs: 12, status: 200 },
      })
    }))

  test("what is to be tried again waits for its moment, its attempts counted", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      const [first] = yield* claim()
      if (first === undefined) throw new Error("a delivery waits")
      yield* settle([settlement(first, { _tag: "Retry", at: later + 5_000 }, refused)])
      expect(yield* claim({ now: later + 4_999 })).toEqual([])
      const [record] = yield* listed()
      expect(record).toEqual({
        event: first.event,
        endpointId: "loja",
        status: "waiting",
        attempts: 1,
        nextAt: later + 5_000,
        lastAttempt: refused,
      })
      const [second] = yield* claim({ now: later + 5_000 })
      expect([second?.event, second?.attempt]).toEqual([first.event, 2])
    }))

  test("what was handed back untried counts as no attempt", () =>
    Effect.gen(function* () {
      const { event } = yield* queued("loja")
      yield* settleAll({ _tag: "Postponed" })
      expect(yield* (yield* Outbox).attempts(aCnpj, event.id, "loja")).toEqual([])
      const [again] = yield* claim()
      expect(again?.attempt).toBe(1)
    }))

  test("what was handed back keeps its place before what came later", () =>
    Effect.gen(function* () {
      const oldest = yield* queued("loja", { at: fixtureNow })
      const [handedBack] = yield* claim({ limit: 1 })
      if (handedBack === undefined) throw new Error("a delivery waits")
      yield* queued("loja", { at: fixtureNow + 1 })
      yield* settle([settlement(handedBack, { _tag: "Postponed" })])
      expect((yield* listed()).find(({ event }) => event.id === oldest.event.id)?.nextAt).toBe(fixtureNow)
      expect(eventIds(yield* claim({ limit: 1 }))).toEqual([oldest.event.id])
    }))

  test("a dead delivery is not claimed, and says why", () =>
    Effect.gen(function* () {
      yield* queued("loja")
      yield* settleAll({ _tag: "Dead", reason: '410 "Gone"' })
      expect(yield* claim({ now: later + 1e9 })).toEqual([])
      expect((yield* listed())[0]).toMatchObject({
        status: "dead",
        reason: '410 "Gone"',
        attempts: 1,
        settledAt: later,
      })
    }))

  test("every attempt is kept, oldest first", () =>
    Effect.gen(function* () {
      const { event } = yield* queued("loja")
      const made: Array<DeliveryAttempt> = []
      for (let at = 0; at < 4; at++) {
        const attempt = at === 3 ? { startedAt: later + at, latencyMs: 1 } : { ...refused, startedAt: later + at }
        const [claimed] = yield* claim({ now: later + at })
        if (claimed === undefined) throw new Error("the delivery is due again")
        expect(claimed.attempt).toBe(at + 1)
        yield* settle([settlement(claimed, { _tag: "Retry", at: later + at + 1 }, attempt)])
        made.push(attempt)
      }
      expect(yield* (yield* Outbox).attempts(aCnpj, event.id, "loja")).toEqual(made)
      expect((yield* listed())[0]?.lastAttempt).toEqual(made.at(-1))
    }))

  test("many claims end in one call, each in its own fate", () =>
    Effect.gen(function* () {
      for (let at = 0; at < 40; at++) yield* queued(`e${at % 3}`, { at: fixtureNow + at })
      const claims = yield* claim()
      const held = yield* settle(
        claims.map((claimed, at) =>
          settlement(claimed, at % 2 === 0 ? { _tag: "Delivered" } : { _tag: "Dead", reason: "gone" }),
        ),
      )
      expect(held.toSorted()).toEqual(claims.map(({ leaseToken }) => leaseToken).toSorted())
      expect(yield* listed({ status: "delivered" })).toHaveLength(20)
      expect(yield* listed({ status: "dead" })).toHaveLength(20)
    }))

  test("the same claim twice in one call ends once", () =>
    Effect.gen(function* () {
      const { event } = yield* queued("loja")
      const [claimed] = yield* claim()
      if (claimed === undefined) throw new Error("a delivery waits")
      const ended = settlement(claimed, { _tag: "Delivered" })
      expect(yield* settle([ended, ended])).toEqual([claimed.leaseToken])
      expect(yield* (yield* Outbox).attempts(aCnpj, event.id, "loja")).toHaveLength(1)
    }))

  test("no claim, nothing to settle", () =>
    Effect.gen(function* () {
      expect(yield* settle([])).toEqual([])
      expect(yield* (yield* Outbox).renew([], 1000)).toEqual([])
    }))
}
