import { type DeliveryAttempt, isStorableText, Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { aTestEvent } from "../../fixtures/Payments.ts"
import { isRefused, type StoreTests, unstorableMoments, unstorableTexts } from "../StoreDriver.ts"
import {
  claim,
  due,
  eventIds,
  later,
  listDeliveries,
  queueEvents,
  read,
  release,
  settle,
  settleAll,
  settlement,
} from "./queue.ts"

const refused: DeliveryAttempt = {
  startedAt: fixtureNow,
  latencyMs: 31,
  status: 503,
  error: "the receiver answered 503",
  answer: '<h1>"fora" do ar \\ 🦜</h1>',
}

/** The values stored instead of unstorable parts. An unstorable status is dropped. */
const storableParts: Readonly<Record<string, Partial<DeliveryAttempt>>> = { latencyMs: { latencyMs: 0 } }

export const settleCases = ({ test }: StoreTests): void => {
  test("doesn't send a delivered event again", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      const [claimed] = yield* settleAll({ _tag: "Delivered" })
      expect(yield* due(later + 1e9)).toEqual([])
      const [record] = yield* listDeliveries()
      expect(record).toEqual({
        event: claimed?.event,
        endpointId: "loja",
        status: "delivered",
        attempts: 1,
        settledAt: later,
        lastAttempt: { startedAt: later, latencyMs: 12, status: 200 },
      })
    }))

  test("holds a retry back until it is due, and counts the attempts", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      const [first] = yield* claim()
      if (first === undefined) throw new Error("expected a waiting delivery")
      yield* settle([settlement(first, { _tag: "Retry", at: later + 5_000 }, refused)])
      expect(yield* read([first], later + 4_999)).toEqual([])
      const [record] = yield* listDeliveries()
      expect(record).toEqual({
        event: first.event,
        endpointId: "loja",
        status: "waiting",
        attempts: 1,
        nextAt: later + 5_000,
        lastAttempt: refused,
      })
      const [second] = yield* read([first], later + 5_000)
      expect([second?.event, second?.attempt]).toEqual([first.event, 2])
    }))

  test("doesn't count a claim without an attempt, and keeps the delivery's place before later deliveries", () =>
    Effect.gen(function* () {
      const oldest = yield* queueEvents("loja", { at: fixtureNow })
      yield* release(yield* claim())
      yield* queueEvents("loja", { at: fixtureNow + 1 })
      expect(yield* (yield* Outbox).attempts(aCnpj, oldest.event.id, "loja")).toEqual([])
      expect((yield* listDeliveries()).find(({ event }) => event.id === oldest.event.id)?.nextAt).toBe(fixtureNow)
      const [again] = yield* claim({ deliveries: 1 })
      expect([again?.event.id, again?.attempt]).toEqual([oldest.event.id, 1])
    }))

  test("ends the lease with a settlement that releases it, and no other lease", () =>
    Effect.gen(function* () {
      for (const endpointId of ["loja", "parceiro"]) {
        for (const at of [fixtureNow, fixtureNow + 1]) yield* queueEvents(endpointId, { at })
      }
      const claims = yield* claim({ deliveries: 1 })
      const settlements = claims.map((one) => settlement(one, { _tag: "Delivered" }))
      const { endpointId } = claims[0]!
      expect(yield* settle(settlements.with(0, { ...settlements[0]!, releases: true }))).toHaveLength(2)
      const [next, ...others] = yield* claim()
      expect([next?.endpointId, next?.attempt, others]).toEqual([endpointId, 1, []])
      // The lease was taken over.
      expect(yield* settle([{ ...settlements[0]!, releases: true }])).toEqual([])
      expect(yield* claim()).toEqual([])
    }))

  test("doesn't claim a dead delivery, and keeps its reason", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* settleAll({ _tag: "Dead", reason: '410 "Gone"' })
      expect(yield* due(later + 1e9)).toEqual([])
      expect((yield* listDeliveries())[0]).toMatchObject({
        status: "dead",
        reason: '410 "Gone"',
        attempts: 1,
        settledAt: later,
      })
    }))

  test("keeps every attempt, oldest first", () =>
    Effect.gen(function* () {
      const { event } = yield* queueEvents("loja")
      const made: Array<DeliveryAttempt> = []
      for (let index = 0; index < 4; index++) {
        const attempt =
          index === 3 ? { startedAt: later + index, latencyMs: 1 } : { ...refused, startedAt: later + index }
        const [claimed] = yield* claim({ now: later + index })
        if (claimed === undefined) throw new Error("expected the delivery to be due again")
        expect(claimed.attempt).toBe(index + 1)
        yield* settle([settlement(claimed, { _tag: "Retry", at: later + index + 1 }, attempt)])
        yield* release([claimed])
        made.push(attempt)
      }
      expect(yield* (yield* Outbox).attempts(aCnpj, event.id, "loja")).toEqual(made)
      expect((yield* listDeliveries())[0]?.lastAttempt).toEqual(made.at(-1))
    }))

  test("counts and lists an attempt only for the attempted delivery", () =>
    Effect.gen(function* () {
      for (const endpointId of ["loja", "parceiro"])
        for (let index = 0; index < 2; index++) yield* queueEvents(endpointId)
      const claims = yield* claim()
      const records = () =>
        Effect.map(listDeliveries(), (all) =>
          claims.map(({ event, endpointId }) =>
            all.filter((one) => one.event.id === event.id && one.endpointId === endpointId),
          ),
        )
      const attempts = claims.map((_, index) => ({ startedAt: later + index, latencyMs: index, status: 500 + index }))
      for (const [tried, claimed] of claims.entries()) {
        yield* settle([settlement(claimed, { _tag: "Retry", at: later + 1 + tried }, attempts[tried])])
        expect(yield* records()).toMatchObject(
          claims.map((_, index) =>
            index <= tried
              ? [{ attempts: 1, nextAt: later + 1 + index, lastAttempt: attempts[index] }]
              : [{ attempts: 0, nextAt: fixtureNow }],
          ),
        )
      }
    }))

  test("settles many claims in one call, each with its outcome", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 40; index++) yield* queueEvents(`e${index % 3}`, { at: fixtureNow + index })
      const claims = yield* claim()
      const held = yield* settle(
        claims.map((claimed, index) =>
          settlement(claimed, index % 2 === 0 ? { _tag: "Delivered" } : { _tag: "Dead", reason: "gone" }),
        ),
      )
      expect(held.toSorted()).toEqual(eventIds(claims).toSorted())
      expect(yield* listDeliveries({ status: "delivered" })).toHaveLength(20)
      expect(yield* listDeliveries({ status: "dead" })).toHaveLength(20)
    }))

  test("records an attempt that is settled twice, in one call or in two, once", () =>
    Effect.gen(function* () {
      const { event } = yield* queueEvents("loja")
      const [claimed] = yield* claim()
      if (claimed === undefined) throw new Error("expected a waiting delivery")
      const failed = settlement(claimed, { _tag: "Retry", at: later })
      expect(yield* settle([failed, failed])).toEqual([event.id])
      expect(yield* settle([failed])).toEqual([])
      expect(yield* settle([{ ...failed, number: 2, fate: { _tag: "Delivered" } }])).toEqual([event.id])
      expect(yield* settle([{ ...failed, number: 2, fate: { _tag: "Delivered" } }])).toEqual([])
      expect(yield* (yield* Outbox).attempts(aCnpj, event.id, "loja")).toHaveLength(2)
    }))

  test("ignores calls without any settlement or lease", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      expect(yield* settle([])).toEqual([])
      expect(yield* outbox.renew([], 1000)).toEqual([])
      expect(yield* outbox.read([], later)).toEqual([])
      yield* outbox.release([])
    }))

  test("drops the unstorable parts of a settlement, and records the other settlements unchanged", () =>
    Effect.gen(function* () {
      const impossible: ReadonlyArray<Partial<DeliveryAttempt>> = [
        ...[1e12, Number.NaN, 1.5, Number.NEGATIVE_INFINITY].map((status) => ({ status })),
        ...unstorableTexts.flatMap((text) => [{ error: text }, { answer: text }]),
        ...[Number.NaN, Number.POSITIVE_INFINITY].map((latencyMs) => ({ latencyMs })),
        ...unstorableMoments.map((startedAt) => ({ startedAt })),
      ]
      for (const fate of [{ _tag: "Delivered" }, { _tag: "Retry", at: later + 1 }] as const) {
        for (let index = 0; index <= impossible.length; index++) yield* queueEvents(`e${index}`)
        const claims = (yield* claim()).filter(({ attempt }) => attempt === 1)
        const settlements = claims.map((claimed, index) =>
          settlement(claimed, fate, { startedAt: later, latencyMs: 12, ...impossible[index] }),
        )
        expect((yield* settle(settlements)).toSorted()).toEqual(eventIds(claims).toSorted())
        yield* release(claims)
        for (const [at, { event, endpointId }] of claims.entries()) {
          const stored = {
            startedAt: later,
            latencyMs: 12,
            ...storableParts[Object.keys(impossible[at] ?? {})[0] ?? ""],
          }
          const attempts = yield* (yield* Outbox).attempts(aCnpj, event.id, endpointId)
          expect(attempts.map(({ error: _, answer: _answer, ...numbers }) => numbers)).toEqual([stored])
          for (const text of [attempts[0]?.error, attempts[0]?.answer]) expect(isStorableText(text ?? "")).toBe(true)
        }
      }
    }))

  test("records an outcome despite an unstorable part", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      yield* settleAll({ _tag: "Dead", reason: unstorableTexts[0] ?? "" })
      expect((yield* listDeliveries())[0]).toMatchObject({ status: "dead", reason: "conta\ufffdencerrada" })
      yield* queueEvents("parceiro")
      yield* settleAll({ _tag: "Retry", at: Number.NaN })
      expect((yield* listDeliveries({ endpointId: "parceiro" }))[0]).toMatchObject({ status: "waiting", nextAt: later })
    }))

  test("ignores a settlement with an impossible claim, and records the other settlements", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja")
      const [claimed] = yield* claim()
      if (claimed === undefined) throw new Error("expected a waiting delivery")
      const end = settlement(claimed, { _tag: "Delivered" })
      const strange = unstorableTexts.flatMap((text) => [
        { ...end, eventId: text },
        { ...end, lease: { ...end.lease, token: text } },
      ])
      expect(yield* settle([...strange, end])).toEqual([claimed.event.id])
    }))

  test("refuses an event with an unstorable string", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      for (const text of unstorableTexts) {
        yield* isRefused(outbox.add({ event: aTestEvent({ companyName: text }), endpointId: "loja" }, fixtureNow))
        yield* isRefused(outbox.add({ event: aTestEvent({ id: text }), endpointId: "loja" }, fixtureNow))
        yield* isRefused(outbox.add({ event: aTestEvent(), endpointId: text }, fixtureNow))
      }
      expect(yield* listDeliveries()).toEqual([])
    }))
}
