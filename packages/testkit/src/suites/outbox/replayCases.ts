import { Outbox, type ReplaySelection } from "@pixcharge/core"
import type { Charge, PaidCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { aChange, aFailedRefund, aRefundingCharge } from "../../fixtures/Charges.ts"
import { aCnpj } from "../../fixtures/Companies.ts"
import { aReturn } from "../../fixtures/Payments.ts"
import { commit, find, insertPaid, paidEventId, requestRefund, refundedEventId, refundCharge } from "../commits.ts"
import type { StoreTests } from "../StoreDriver.ts"
import { due, eventIds, later, listDeliveries, settleAll } from "./queue.ts"

const replay = (selection: ReplaySelection) =>
  Effect.flatMap(Outbox, (outbox) => outbox.replay(aCnpj, selection, later))

/** Every selection that names the charge's `paid`. */
const chargeSelections = (charge: Charge): ReadonlyArray<ReplaySelection> => [
  { eventId: paidEventId(charge) },
  { chargeId: charge.id },
  { period: { from: 0, until: later } },
  { eventId: paidEventId(charge), chargeId: charge.id, period: { from: 0, until: later } },
]

/** A charge whose `paid` failed or arrived. */
const settlePaid = Effect.fnUntraced(function* (fate: "Dead" | "Delivered") {
  const paid = yield* insertPaid({}, ["loja"])
  yield* settleAll(fate === "Dead" ? { _tag: "Dead", reason: "gone" } : { _tag: "Delivered" })
  return paid
})

/** Requests the refund like the service: reads and decides again if another change came first. */
const requestedRefund = Effect.fnUntraced(function* (charge: PaidCharge) {
  for (;;) {
    const read = yield* find(charge)
    if (read?._tag !== "Paid") throw new Error("nobody else refunds it")
    const { moved } = yield* commit(aChange(read, { next: aRefundingCharge(read), unsent: "supersede" }))
    if (moved) return
  }
})

export const replayCases = ({ test }: StoreTests): void => {
  test("`paid` is not replayed during or after its refund, by any selection", () =>
    Effect.gen(function* () {
      for (const fate of ["Dead", "Delivered"] as const) {
        const paid = yield* settlePaid(fate)
        yield* requestRefund(paid)
        for (const selection of chargeSelections(paid)) expect(yield* replay(selection)).toBe(0)
        const refunded = yield* refundCharge(yield* settlePaid(fate), [])
        for (const selection of chargeSelections(refunded)) expect(yield* replay(selection)).toBe(0)
      }
      expect(yield* due()).toEqual([])
    }))

  test("`paid` is not replayed after its money went back outside of any refund", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Delivered")
      const { returnedAt, ...fact } = aReturn(paid.payment)
      const returns = [{ returnedAt, ...fact }]
      const next = { ...paid, _tag: "Refunded" as const, version: paid.version + 1, refundedAt: returnedAt, returns }
      yield* commit(aChange(paid, { next, returns, unsent: "supersede" }))
      expect(yield* replay({ chargeId: paid.id })).toBe(0)
    }))

  test("the replay of a refunded charge sends `refunded` only", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Delivered")
      yield* refundCharge(paid, ["loja"])
      yield* settleAll({ _tag: "Delivered" })
      expect(yield* replay({ chargeId: paid.id })).toBe(1)
      expect(eventIds(yield* settleAll({ _tag: "Delivered" }))).toEqual([refundedEventId(paid)])
      expect(yield* due()).toEqual([])
    }))

  test("a replay by period sends `paid` only of paid charges", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      yield* requestRefund(yield* settlePaid("Dead"))
      expect(yield* replay({ period: { from: 0, until: later } })).toBe(1)
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))

  test("a refund that is not carried out makes `paid` replayable again", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      const refunding = yield* requestRefund(paid)
      yield* commit(aChange(refunding, { next: aFailedRefund(refunding, "conta encerrada"), unsent: "restore" }))
      expect(yield* replay({ chargeId: paid.id })).toBe(1)
      expect(eventIds(yield* due())).toEqual([paidEventId(paid)])
    }))

  test("a replayed `paid` that still waits is superseded by a refund like any other", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      expect(yield* replay({ chargeId: paid.id })).toBe(1)
      yield* requestRefund(paid)
      expect(yield* due()).toEqual([])
      expect((yield* listDeliveries({ chargeId: paid.id })).map(({ status }) => status)).toEqual(["superseded"])
    }))

  test("a replay leaves the charge as it was", () =>
    Effect.gen(function* () {
      const paid = yield* settlePaid("Dead")
      const before = yield* find(paid)
      yield* replay({ chargeId: paid.id })
      expect(yield* find(paid)).toEqual(before)
      expect((yield* commit(aChange(paid, { next: aRefundingCharge(paid), unsent: "supersede" }))).moved).toBe(true)
    }))

  test("a replay and a refund at the same moment: `paid` is not sent after the refund", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const charges = yield* Effect.replicateEffect(settlePaid("Dead"), 3)
        yield* Effect.all(
          charges.flatMap((charge) => [replay({ chargeId: charge.id }), requestedRefund(charge)]),
          { concurrency: "unbounded" },
        )
        expect(yield* due()).toEqual([])
      }
    }))
}
