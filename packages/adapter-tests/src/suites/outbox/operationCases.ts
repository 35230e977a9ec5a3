import { type DeliveryFilter, Outbox } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aFailedRefund, fixtureNow } from "../../fixtures/Charges.ts"
import { aCnpj, anotherCnpj } from "../../fixtures/Companies.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { allPages, commit, insertPaid, paidEventId, requestRefund, refundedEventId, refundCharge } from "../commits.ts"
import { claim, due, eventIds, later, listDeliveries, queueEvents, settle, settleAll, settlement } from "./queue.ts"

export const operationCases = ({ test }: StoreTests): void => {
  test("lists the newest event first, page by page, without repeats while more arrive", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const made: Array<string> = []
      for (let index = 0; index < 25; index++) {
        // Five events share each time, so some pages end between them.
        made.push((yield* queueEvents("loja", { occurredAt: fixtureNow + Math.floor(index / 5) })).event.id)
      }
      const first = yield* outbox.list(aCnpj, {}, { limit: 7 })
      yield* queueEvents("loja", { occurredAt: fixtureNow + 99 })
      const { cursor } = first
      if (cursor === undefined) throw new Error("expected another page")
      const rest = yield* allPages((page) => outbox.list(aCnpj, {}, { ...page, cursor: page.cursor ?? cursor }), 7)
      const items = [...first.items, ...rest.flat()]
      const moments = items.map(({ event }) => event.occurredAt)
      expect(moments).toEqual(moments.toSorted((a, b) => b - a))
      expect(eventIds(items).toSorted()).toEqual(made.toSorted())
    }))

  test("counts an endpoint's waiting and failed deliveries of one company, with the oldest's age", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const depth = (endpointId = "loja", issuer = aCnpj) => outbox.queueDepth(issuer, endpointId)
      expect(yield* depth()).toEqual({ waiting: 0, retrying: 0 })
      for (const at of [3, 1, 2]) yield* queueEvents("loja", { at: fixtureNow + at })
      yield* queueEvents("parceiro", { at: fixtureNow })
      yield* queueEvents("loja", { at: fixtureNow, issuer: anotherCnpj })
      const superseded = yield* insertPaid({ createdAt: 1_000_000 }, ["loja"])
      yield* requestRefund(superseded)
      expect(yield* depth()).toEqual({ waiting: 3, retrying: 0, oldestAt: fixtureNow + 1 })
      const claims = (yield* claim()).filter(({ endpointId, lease }) => endpointId === "loja" && lease.issuer === aCnpj)
      const [first, second] = claims
      if (first === undefined || second === undefined) throw new Error("expected three waiting deliveries")
      yield* settle([settlement(first, { _tag: "Retry", at: later + 1 }), settlement(second, { _tag: "Delivered" })])
      expect(yield* depth()).toMatchObject({ waiting: 2, retrying: 1 })
      expect(yield* depth("parceiro")).toEqual({ waiting: 1, retrying: 0, oldestAt: fixtureNow })
      expect((yield* depth("loja", anotherCnpj)).waiting).toBe(1)
    }))

  test("returns the last page without a cursor, and an empty list as one page", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      expect(yield* outbox.list(aCnpj, {}, { limit: 5 })).toEqual({ items: [] })
      for (let index = 0; index < 5; index++) yield* queueEvents("loja")
      const page = yield* outbox.list(aCnpj, {}, { limit: 5 })
      expect([page.items.length, "cursor" in page]).toEqual([5, false])
    }))

  test("limits a page to 1 to 1000 items", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { id } = yield* insertPaid(
        {},
        Array.from({ length: 1_001 }, (_, index) => `e${index}`),
      )
      const sizes = { 0: 1, [-1]: 1, [Number.NaN]: 1, 0.5: 1, 2.9: 2, 1_000: 1_000, 1_001: 1_000, 1e9: 1_000 }
      for (const [limit, size] of Object.entries({ ...sizes, Infinity: 1_000 })) {
        const page = yield* outbox.list(aCnpj, { chargeId: id }, { limit: Number(limit) })
        expect([limit, page.items.length, "cursor" in page]).toEqual([limit, size, true])
      }
    }))

  test("separates the lists of companies", () =>
    Effect.gen(function* () {
      yield* queueEvents("loja", { issuer: anotherCnpj })
      expect(yield* listDeliveries()).toEqual([])
      expect(yield* listDeliveries({}, anotherCnpj)).toHaveLength(1)
    }))

  test("filters a list by status, endpoint, charge and period, alone and together", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja", "parceiro"])
      yield* settleAll({ _tag: "Delivered" })
      const refundedCharge = yield* refundCharge(paid, ["loja"])
      const other = yield* insertPaid({}, ["loja"])
      const moment = refundedCharge.refundedAt
      const narrowed: Readonly<Record<keyof DeliveryFilter, readonly [DeliveryFilter, found: number]>> = {
        status: [{ status: "delivered" }, 2],
        endpointId: [{ endpointId: "loja" }, 3],
        chargeId: [{ chargeId: paid.id }, 3],
        period: [{ period: { from: moment - 1, until: moment } }, 0],
      }
      for (const [filter, found] of Object.values(narrowed)) expect(yield* listDeliveries(filter)).toHaveLength(found)
      expect(eventIds(yield* listDeliveries({ status: "waiting", chargeId: paid.id }))).toEqual([refundedEventId(paid)])
      expect(eventIds(yield* listDeliveries({ chargeId: other.id }))).toEqual([paidEventId(other)])
      expect(eventIds(yield* listDeliveries({ period: { from: moment, until: moment + 1 } }))).toEqual([
        refundedEventId(paid),
      ])
      const all = { status: "delivered", endpointId: "parceiro", chargeId: paid.id } as const
      expect(yield* listDeliveries({ ...all, period: { from: 0, until: later } })).toHaveLength(1)
    }))

  test("purges only deliveries that were delivered or finally superseded before a given time", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const { event } = yield* queueEvents("loja")
      yield* settleAll({ _tag: "Delivered" }, later)
      const dead = yield* queueEvents("loja")
      yield* settleAll({ _tag: "Retry", at: later }, later)
      yield* settleAll({ _tag: "Dead", reason: "gone" }, later)
      yield* refundCharge(yield* insertPaid({}, ["loja"]))
      const waiting = yield* queueEvents("loja")
      expect(yield* outbox.purge(fixtureNow)).toBe(0)
      expect(yield* outbox.purge(later)).toBe(1)
      expect(yield* outbox.purge(later + 1)).toBe(1)
      expect(yield* outbox.attempts(aCnpj, event.id, "loja")).toEqual([])
      expect(yield* outbox.attempts(aCnpj, dead.event.id, "loja")).toHaveLength(2)
      const statuses = (yield* listDeliveries()).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(["dead", "waiting"])
      expect(eventIds(yield* due())).toEqual(eventIds([waiting]))
    }))

  test("doesn't purge a superseded `paid` event during the refund, and delivers it after a rejection", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const paid = yield* insertPaid({}, ["loja"])
      const refunding = yield* requestRefund(paid)
      expect(yield* outbox.purge(later + 1)).toBe(0)
      yield* commit(aChange(refunding, { next: aFailedRefund(refunding, "conta encerrada"), unsent: "restore" }))
      expect(yield* outbox.purge(later + 1)).toBe(0)
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))

  test("makes a `paid` event due immediately when a rejected refund restores it, even if its next attempt was later", () =>
    Effect.gen(function* () {
      const paid = yield* insertPaid({}, ["loja"])
      yield* settleAll({ _tag: "Retry", at: later + 3_600_000 })
      expect(yield* due()).toEqual([])
      const refunding = yield* requestRefund(paid)
      yield* commit(aChange(refunding, { next: aFailedRefund(refunding, "conta encerrada"), unsent: "restore" }))
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))

  test("doesn't purge a `paid` event that was superseded without a move while its charge is paid", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const paid = yield* insertPaid({}, ["loja"])
      expect(yield* outbox.supersede(paid.issuer, paid.id, fixtureNow)).toBe(1)
      expect(yield* outbox.purge(later + 1)).toBe(0)
      yield* refundCharge(paid)
      expect(yield* outbox.purge(later + 1)).toBe(1)
    }))

  test("doesn't purge a delivery that was superseded while being sent until it is settled", () =>
    Effect.gen(function* () {
      const outbox = yield* Outbox
      const paid = yield* insertPaid({}, ["loja"])
      const [sending] = yield* claim()
      if (sending === undefined) throw new Error("expected a waiting delivery")
      yield* requestRefund(paid)
      expect(yield* outbox.purge(later + 1)).toBe(0)
      expect(yield* settle([settlement(sending, { _tag: "Delivered" })])).toEqual([sending.event.id])
      expect(yield* outbox.purge(later + 1)).toBe(1)
    }))

  test("returns an empty list of attempts for an unknown delivery", () =>
    Effect.gen(function* () {
      const { event } = yield* queueEvents("loja")
      yield* settleAll({ _tag: "Delivered" })
      const outbox = yield* Outbox
      expect(yield* outbox.attempts(aCnpj, event.id, "parceiro")).toEqual([])
      expect(yield* outbox.attempts(anotherCnpj, event.id, "loja")).toEqual([])
    }))
}
