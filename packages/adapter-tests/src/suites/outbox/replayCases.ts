import { Outbox, type ReplaySelection } from "@pixcharge/core"
import type { Charge, PaidCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aFailedRefund, aRefundingCharge, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import { aReturn } from "../../fixtures/Payments.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { commit, find, insertPaid, paidEventId, requestRefund, refundedEventId, refundCharge } from "../commits.ts"
import {
  due,
  eventIds,
  later,
  listDeliveries,
  settleAll,
  claim,
  queueEvents,
  release,
  settle,
  settlement,
} from "./queue.ts"

const replayLater = (selection: ReplaySelection) =>
  Effect.flatMap(Outbox, (outbox) => outbox.replay(aCnpj, selection, later))

/** Every selection that includes the charge's `paid` event. */
const chargeSelections = (charge: Charge): ReadonlyArray<ReplaySelection> => [
  { eventId: paidEventId(charge) },
  { chargeId: charge.id },
  { period: { from: 0, until: later } },
  { eventId: paidEventId(charge), chargeId: charge.id, period: { from: 0, until: later } },
]

/** A paid charge whose `paid` event is dead or delivered. */
const settlePaid = Effect.fnUntraced(function* (fate: "Dead" | "Delivered") {
  const paid = yield* insertPaid({}, ["loja"])
  yield* settleAll(fate === "Dead" ? { _tag: "Dead", reason: "gone" } : { _tag: "Delivered" })
  return paid
})

/** Requests the refund like the service: reads and decides again if another change came first. */
const requestedRefund = Effect.fnUntraced(function* (charge: PaidCharge) {
  for (;;) {
    const read = yield* find(charge)
    if (read?._tag !== "Paid") throw new Error("expected a paid charge")
    const { moved } = yield* commit(aChange(read, { next: aRefundingCharge(read), unsent: "supersede" }))
    if (moved) return
  }
})

export const replayCases = ({ test }: StoreTests): void => {
  test("doesn't replay a `paid` event during or after the refund, by any selection", () =>
    Effect.gen(function* () {
      for (const fate of ["Dead", "Delivered"] as const) {
        const paid = yield* settlePaid(fate)
        yield* requestRefund(paid)
        for (const selection of chargeSelections(paid)) expect(yield* replayLater(selection)).toBe(0)
        const refunded = yield* refundCharge(yield* settlePaid(fate), [])
        for (const selection of chargeSelections(refunded)) expect(yield* replayLater(selection)).toBe(0)
      }
      expect(yield* due()).toEqual([])
    }))

  test("doesn't replay a `paid` event after an outside return of the payment", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Delivered")
      const { returnedAt, ...fact } = aReturn(paid.payment)
      const returns = [{ returnedAt, ...fact }]
      const next = { ...paid, _tag: "Refunded" as const, version: paid.version + 1, refundedAt: returnedAt, returns }
      yield* commit(aChange(paid, { next, returns, unsent: "supersede" }))
      expect(yield* replayLater({ chargeId: paid.id })).toBe(0)
    }))

  test("doesn't settle a replayed delivery by its attempt before the replay, settled again", () =>
    Effect.gen(function* () {
      const { event } = yield* queueEvents("loja")
      const [claimed] = yield* claim()
      if (claimed === undefined) throw new Error("expected a waiting delivery")
      const delivered = settlement(claimed, { _tag: "Delivered" })
      expect(yield* settle([delivered])).toEqual([event.id])
      expect(yield* replayLater({ eventId: event.id })).toBe(1)
      expect(yield* settle([delivered])).toEqual([])
      expect((yield* listDeliveries()).map(({ status }) => status)).toEqual(["waiting"])
    }))

  test("replays only the `refunded` event of a refunded charge", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Delivered")
      yield* refundCharge(paid, ["loja"])
      yield* settleAll({ _tag: "Delivered" })
      expect(yield* replayLater({ chargeId: paid.id })).toBe(1)
      expect(eventIds(yield* settleAll({ _tag: "Delivered" }))).toEqual([refundedEventId(paid)])
      expect(yield* due()).toEqual([])
    }))

  test("replays the `paid` events of a period only for paid charges", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      yield* requestRefund(yield* settlePaid("Dead"))
      expect(yield* replayLater({ period: { from: 0, until: later } })).toBe(1)
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))

  test("replays a `paid` event after the refund failed", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      const refunding = yield* requestRefund(paid)
      yield* commit(aChange(refunding, { next: aFailedRefund(refunding, "conta encerrada"), unsent: "restore" }))
      expect(yield* replayLater({ chargeId: paid.id })).toBe(1)
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))

  test("supersedes a replayed `paid` event that still waits when a refund begins", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      expect(yield* replayLater({ chargeId: paid.id })).toBe(1)
      yield* requestRefund(paid)
      expect(yield* due()).toEqual([])
      expect((yield* listDeliveries({ chargeId: paid.id })).map(({ status }) => status)).toEqual(["superseded"])
    }))

  test("leaves a charge unchanged when its event is replayed", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      const before = yield* find(paid)
      yield* replayLater({ chargeId: paid.id })
      expect(yield* find(paid)).toEqual(before)
      expect((yield* commit(aChange(paid, { next: aRefundingCharge(paid), unsent: "supersede" }))).moved).toBe(true)
    }))

  test("doesn't send a `paid` event after the refund if a replay and the refund begin concurrently", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const charges = yield* Effect.replicateEffect(settlePaid("Dead"), 3)
        yield* Effect.all(
          charges.flatMap((charge) => [replayLater({ chargeId: charge.id }), requestedRefund(charge)]),
          { concurrency: "unbounded" },
        )
        expect(yield* due()).toEqual([])
      }
    }))
}

export const replaySelectionCases = ({ test }: StoreTests): void => {
  test("sends delivered and dead events again under the same id, with all earlier attempts", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      for (const fate of [{ _tag: "Delivered" }, { _tag: "Dead", reason: "gone" }] as const) {
        const { event } = yield* queueEvents("loja")
        yield* settleAll(fate)
        expect(yield* outbox.replay(aCnpj, { eventId: event.id }, later + 1)).toBe(1)
        const [record] = yield* listDeliveries({ status: "waiting" })
        expect(record).toMatchObject({ event, status: "waiting", attempts: 0, nextAt: later + 1 })
        expect("reason" in (record ?? {}) || "settledAt" in (record ?? {})).toBe(false)
        expect(yield* due(later)).toEqual([])
        const [claimed] = yield* claim({ now: later + 1 })
        if (claimed === undefined) throw new Error("expected the replayed delivery to be due")
        expect([claimed.event, claimed.attempt]).toEqual([event, 1])
        yield* settle([settlement(claimed, { _tag: "Delivered" })])
        yield* release([claimed])
        expect(yield* outbox.attempts(aCnpj, event.id, "loja")).toHaveLength(2)
      }
    }))

  test("keeps every attempt, oldest first, and shows the last one while the delivery waits again", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { event } = yield* queueEvents("loja")
      const fates = [{ _tag: "Retry", at: later }, { _tag: "Dead", reason: "gone" }, { _tag: "Delivered" }] as const
      const made = [
        { startedAt: later - 3, latencyMs: 4.5, status: 500, error: "HTTP 500", answer: "erro" },
        { startedAt: later - 2, latencyMs: 15_000, error: "no answer" },
        { startedAt: later - 1, latencyMs: 7, status: 204 },
      ]
      for (const [index, fate] of fates.entries()) {
        const [claimed] = yield* claim()
        if (claimed === undefined) throw new Error("expected the delivery to be due")
        yield* settle([settlement(claimed, fate, made[index])])
        yield* release([claimed])
        expect(yield* outbox.attempts(aCnpj, event.id, "loja")).toEqual(made.slice(0, index + 1))
        if (fate._tag !== "Retry") yield* outbox.replay(aCnpj, { eventId: event.id }, later)
        expect(yield* outbox.attempts(aCnpj, event.id, "loja")).toEqual(made.slice(0, index + 1))
        const [record] = yield* listDeliveries()
        expect([record?.status, record?.lastAttempt]).toEqual(["waiting", made[index]])
      }
    }))

  test("measures the wait of a replayed delivery from its replay, and the wait of a retried delivery from its publication", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { event } = yield* queueEvents("loja", { at: fixtureNow })
      yield* settleAll({ _tag: "Retry", at: later + 5 })
      expect(yield* outbox.depth).toEqual({ waiting: 1, oldestAt: fixtureNow })
      yield* settleAll({ _tag: "Delivered" }, later + 5)
      expect(yield* outbox.depth).toEqual({ waiting: 0 })
      yield* outbox.replay(aCnpj, { eventId: event.id }, later + 9)
      expect(yield* outbox.depth).toEqual({ waiting: 1, oldestAt: later + 9 })
    }))

  test("doesn't replay waiting and superseded deliveries", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { event } = yield* queueEvents("loja")
      const paid = yield* insertPaid({}, ["loja"])
      yield* requestRefund(paid)
      expect(yield* outbox.replay(aCnpj, { eventId: event.id }, later)).toBe(0)
      expect(yield* outbox.replay(aCnpj, { chargeId: paid.id }, later)).toBe(0)
    }))

  test("replays the deliveries that match all of the selected event, charge and period", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const charges = [yield* insertPaid({}, ["loja", "parceiro"]), yield* insertPaid({}, ["loja"])]
      const [first, second] = charges
      if (first === undefined || second === undefined) throw new Error("expected two charges")
      yield* queueEvents("loja", { occurredAt: later, issuer: anotherCnpj })
      yield* settleAll({ _tag: "Delivered" })
      const moment = first.payment.paidAt
      const replay = Effect.fnUntraced(function* (selection: Parameters<Outbox["Service"]["replay"]>[1]) {
        const count = yield* outbox.replay(aCnpj, selection, later)
        // The deliveries are settled again, because the next selection can replay them.
        expect(yield* settleAll({ _tag: "Delivered" })).toHaveLength(count)
        return count
      })
      expect(yield* replay({ eventId: paidEventId(second) })).toBe(1)
      expect(yield* replay({ chargeId: first.id, period: { from: moment + 1, until: later } })).toBe(0)
      expect(yield* replay({ chargeId: second.id, eventId: paidEventId(first) })).toBe(0)
      expect(yield* replay({ chargeId: first.id, period: { from: moment, until: moment + 1 } })).toBe(2)
    }))

  test("replays every event of the company in a period", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      for (let index = 0; index < 4; index++) yield* queueEvents("loja", { occurredAt: fixtureNow + index })
      yield* settleAll({ _tag: "Delivered" })
      expect(yield* outbox.replay(aCnpj, { period: { from: fixtureNow + 1, until: fixtureNow + 3 } }, later)).toBe(2)
      expect(yield* due()).toHaveLength(2)
    }))

  test("replays only the selected state or endpoint", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      yield* queueEvents("loja", { occurredAt: fixtureNow })
      yield* queueEvents("parceiro", { occurredAt: fixtureNow })
      yield* settleAll({ _tag: "Delivered" })
      const dead = yield* queueEvents("loja", { occurredAt: fixtureNow })
      yield* settleAll({ _tag: "Dead", reason: "used up" })
      const period = { from: fixtureNow, until: later }
      expect(yield* outbox.replay(aCnpj, { period, status: "dead", endpointId: "parceiro" }, later)).toBe(0)
      expect(yield* outbox.replay(aCnpj, { period, status: "delivered", endpointId: "parceiro" }, later)).toBe(1)
      expect(yield* outbox.replay(aCnpj, { period, status: "dead" }, later)).toBe(1)
      expect((yield* due()).map(({ event, endpointId }) => [event.id === dead.event.id, endpointId])).toEqual(
        expect.arrayContaining([
          [false, "parceiro"],
          [true, "loja"],
        ]),
      )
      expect(yield* outbox.replay(aCnpj, { status: "delivered", endpointId: "loja" }, later)).toBe(0)
    }))

  test("replays no delivery without a selection, or for another company's event", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { event } = yield* queueEvents("loja")
      yield* settleAll({ _tag: "Delivered" })
      expect(yield* outbox.replay(aCnpj, {}, later)).toBe(0)
      expect(yield* outbox.replay(anotherCnpj, { eventId: event.id }, later)).toBe(0)
    }))
}
