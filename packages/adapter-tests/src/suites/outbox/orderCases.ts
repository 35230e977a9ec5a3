import { Outbox } from "@pixcharge/core"
import { chargeEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aFailedRefund } from "../../fixtures/Charges.ts"
import { aReturn } from "../../fixtures/Payments.ts"
import { commit, insertPaid, paidEventId, requestRefund, refundedEventId, refundCharge } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { claim, due, eventIds, later, listDeliveries, read, release, settle, settleAll, settlement } from "./queue.ts"

export const orderCases = ({ test, elapse }: StoreTests): void => {
  test("returns a charge's `refunded` event once its `paid` event is settled", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Delivered" })
      yield* refundCharge(paid, ["loja"])
      expect(eventIds(yield* due())).toEqual([refundedEventId(paid)])
    }))

  test("shows a `refunded` event only to the queue's owner while the `paid` event is being sent", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja", "parceiro"])
      const claims = yield* claim()
      const [toShop, toPartner] = claims.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))
      if (toShop === undefined || toPartner === undefined) throw new Error("expected two waiting deliveries")
      yield* settle([settlement(toPartner, { _tag: "Delivered" })])
      yield* release([toPartner])
      yield* refundCharge(paid, ["loja", "parceiro"])
      const others = yield* due()
      expect(others.map(({ endpointId, event }) => [endpointId, event.id])).toEqual([
        ["parceiro", refundedEventId(paid)],
      ])
      expect(eventIds(yield* read([toShop]))).toEqual([refundedEventId(paid)])
      yield* settle([settlement(toShop, { _tag: "Delivered" })])
      expect(eventIds(yield* read([toShop]))).toEqual([refundedEventId(paid)])
    }))

  test("holds a `refunded` event back while the `paid` event waits for a retry, even once the retry is due", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Retry", at: later + 1_000 })
      // After an outside return, the charge is refunded, and its `paid` event is still delivered.
      const refundedCharge = {
        ...paid,
        _tag: "Refunded" as const,
        version: paid.version + 1,
        refundedAt: paid.updatedAt + 5,
        returns: [aReturn(paid.payment)],
      }
      const deliveries = [{ event: chargeEvent(refundedCharge, "Padaria Aurora Ltda"), endpointId: "loja" }]
      yield* commit(aChange(paid, { next: refundedCharge, deliveries }))
      expect(yield* due(later + 999)).toEqual([])
      expect(eventIds(yield* due(later + 1_000))).toEqual([paidEventId(paid)])
    }))

  test("sends a `refunded` event after a dead `paid` event", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Dead", reason: "gone" })
      yield* refundCharge(paid, ["loja"])
      expect(eventIds(yield* due())).toEqual([refundedEventId(paid)])
    }))

  test("sends the events of different charges independently", () =>
    Effect.gen(function* () {
      const waiting = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Retry", at: later + 1 })
      yield* commit(
        aChange(waiting, {
          next: { ...waiting, _tag: "Refunded", version: waiting.version + 1, refundedAt: waiting.updatedAt + 5 },
          deliveries: [{ event: chargeEvent(waiting, "Padaria Aurora Ltda"), endpointId: "loja" }],
        }),
      )
      const other = yield* insertPaid({}, ["loja"])
      expect(eventIds(yield* due())).toEqual([paidEventId(other)])
    }))

  test("doesn't hold a `refunded` event back for a `paid` event of another charge or to another endpoint", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja", "parceiro"])
      yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Retry", at: later + 1 })
      const claims = yield* claim({ now: later + 1 })
      const toShop = claims.find(({ endpointId, event }) => endpointId === "loja" && event.id === paidEventId(paid))
      if (toShop === undefined) throw new Error("expected a waiting delivery")
      yield* settle([settlement(toShop, { _tag: "Delivered" })])
      const refundedCharge = {
        ...paid,
        _tag: "Refunded" as const,
        version: paid.version + 1,
        refundedAt: paid.updatedAt + 5,
        returns: [aReturn(paid.payment)],
      }
      const deliveries = [{ event: chargeEvent(refundedCharge, "Padaria Aurora Ltda"), endpointId: "loja" }]
      yield* commit(aChange(paid, { next: refundedCharge, deliveries }))
      expect(eventIds(yield* read([toShop]))).toEqual([refundedEventId(paid)])
    }))

  test("skips a superseded delivery, and sends later deliveries", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      const { updatedAt } = yield* refundCharge(paid, ["loja"])
      expect(eventIds(yield* due())).toEqual([refundedEventId(paid)])
      const [record] = yield* listDeliveries({ status: "superseded" })
      expect(record).toMatchObject({ status: "superseded", attempts: 0, event: { id: paidEventId(paid) } })
      expect(record).not.toHaveProperty("nextAt")
      expect(record?.settledAt).toBeLessThanOrEqual(updatedAt)
    }))

  test("supersedes only the charge's waiting `paid` deliveries, and returns their number", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const delivered = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Delivered" })
      const waiting = yield* insertPaid({}, ["loja", "parceiro"])
      const other = yield* insertPaid({}, ["loja"])
      expect(yield* outbox.supersede(delivered.issuer, delivered.id, later)).toBe(0)
      expect(yield* outbox.supersede(waiting.issuer, waiting.id, later)).toBe(2)
      expect(yield* outbox.supersede(waiting.issuer, waiting.id, later)).toBe(0)
      expect((yield* listDeliveries({ status: "superseded" })).map(({ settledAt }) => settledAt)).toEqual([
        later,
        later,
      ])
      expect(eventIds(yield* due())).toEqual([paidEventId(other)])
    }))

  test("leaves earlier superseded deliveries unchanged", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const paid = yield* insertPaid({}, ["loja", "parceiro"])
      const toPartner = (yield* claim()).filter(({ endpointId }) => endpointId === "parceiro")
      yield* settle(toPartner.map((claimed) => settlement(claimed, { _tag: "Delivered" })))
      expect(yield* outbox.supersede(paid.issuer, paid.id, later)).toBe(1)
      expect(yield* outbox.replay(paid.issuer, { chargeId: paid.id }, later)).toBe(1)
      expect(yield* outbox.supersede(paid.issuer, paid.id, later + 1)).toBe(1)
      const records = yield* listDeliveries({ status: "superseded" })
      expect(Object.fromEntries(records.map(({ endpointId, settledAt }) => [endpointId, settledAt]))).toEqual({
        loja: later,
        parceiro: later + 1,
      })
    }))

  test("doesn't supersede the charge's `refunded` event", () =>
    Effect.gen(function* () {
      const refundedCharge = yield* refundCharge(yield* insertPaid(), ["loja"])
      expect(yield* (yield* Outbox).supersede(refundedCharge.issuer, refundedCharge.id, later)).toBe(0)
      yield* commit(
        aChange(refundedCharge, {
          next: { ...refundedCharge, version: refundedCharge.version + 1 },
          unsent: "supersede",
        }),
      )
      expect(eventIds(yield* due())).toEqual([refundedEventId(refundedCharge)])
    }))

  test("marks a delivery as delivered if it arrived, even if it was superseded while being sent", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      const [sending] = yield* claim()
      if (sending === undefined) throw new Error("expected a waiting delivery")
      yield* requestRefund(paid)
      expect((yield* listDeliveries())[0]?.status).toBe("superseded")
      expect(yield* (yield* Outbox).renew([sending.lease], 600_000)).toEqual([sending.lease.token])
      expect(yield* settle([settlement(sending, { _tag: "Delivered" })])).toEqual([sending.event.id])
      expect((yield* listDeliveries())[0]).toMatchObject({ status: "delivered", attempts: 1, settledAt: later })
    }))

  test("leaves a delivery superseded if it didn't arrive and was superseded while being sent", () =>
    Effect.gen(function* () {
      for (const fate of [
        { _tag: "Retry", at: later },
        { _tag: "Dead", reason: "gone" },
      ] as const) {
        const paid = yield* insertPaid({}, ["loja"])
        const [sending] = yield* claim()
        if (sending === undefined) throw new Error("expected a waiting delivery")
        yield* requestRefund(paid)
        yield* settle([settlement(sending, fate)])
        yield* release([sending])
        const [record] = yield* listDeliveries({ chargeId: paid.id })
        expect([record?.status, record?.attempts]).toEqual(["superseded", 1])
        expect(yield* due(later + 1e9)).toEqual([])
      }
    }))

  test("hides a `refunded` event from other workers until the lease of a superseded `paid` event ends", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      const [sending] = yield* claim()
      if (sending === undefined) throw new Error("expected a waiting delivery")
      yield* refundCharge(paid, ["loja"])
      expect(sending.event.id).toBe(paidEventId(paid))
      expect(yield* claim()).toEqual([])
      // The lease ends here and not earlier, even if the steps above were slow.
      yield* (yield* Outbox).renew([sending.lease], 1)
      yield* elapse(60)
      expect(eventIds(yield* claim())).toEqual([refundedEventId(paid)])
    }))

  test("hides a restored delivery from other workers while it is being sent, and continues its attempts", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      const [sending] = yield* claim()
      if (sending === undefined) throw new Error("expected a waiting delivery")
      const refunding = yield* requestRefund(paid)
      yield* commit(aChange(refunding, { next: aFailedRefund(refunding, "conta encerrada"), unsent: "restore" }))
      expect(yield* claim()).toEqual([])
      expect(yield* settle([settlement(sending, { _tag: "Retry", at: later })])).toEqual([sending.event.id])
      const [again] = yield* read([sending])
      expect([again?.event.id, again?.attempt]).toEqual([paidEventId(paid), 2])
    }))

  test("doesn't restore delivered and dead deliveries", () =>
    Effect.gen(function* () {
      for (const fate of [{ _tag: "Delivered" }, { _tag: "Dead", reason: "gone" }] as const) {
        const paid = yield* insertPaid({}, ["loja"])
        yield* settleAll(fate)
        const refunding = yield* requestRefund(paid)
        yield* commit(aChange(refunding, { next: aFailedRefund(refunding, "conta encerrada"), unsent: "restore" }))
        expect(yield* due(later + 1e9)).toEqual([])
      }
    }))
}
