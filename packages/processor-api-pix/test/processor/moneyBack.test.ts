import type { RefundOrder } from "@pixcharge/core"
import { addDays, brasiliaDate, startOfBrasiliaDay } from "@pixcharge/core/calendar"
import type { Charge } from "@pixcharge/core/charges"
import type { Cents } from "@pixcharge/core/money"
import { aRefundId, aRegisteredCharge } from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import { standardProfile } from "@pixcharge/processor-api-pix"
import { bankWays, type SimulatedBank } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import { account, company, impatientProcessor, openBank } from "../bank/openBank.ts"
import { saying } from "../saying.ts"

/** The first moment of the day whose 90th day is today. */
const firstOf90Days = () => startOfBrasiliaDay(addDays(brasiliaDate(Date.now()), -90))

const opened = (options?: Parameters<typeof openBank>[0], connection?: Parameters<typeof openBank>[1]) =>
  Effect.gen(function* () {
    const { psp, processor } = yield* openBank(options, connection)
    return { psp, processor, charge: yield* aRegisteredCharge(processor, company) }
  })

const refundOrder = (psp: SimulatedBank, charge: Charge): RefundOrder => {
  const { endToEndId, amountCents } = psp.pay(charge.issuer, charge.txid)
  return { issuer: charge.issuer, endToEndId, amountCents, refundId: aRefundId({ endToEndId }) }
}

describe("a refund at a bank", () => {
  it.live("returns the whole amount under our id", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened({ ways: { returnPace: "atOnce" } })
      const order = refundOrder(psp, charge)
      expect((yield* processor.refund(order))._tag).toBe("Returned")
      expect(psp.ledger.payments.get(order.endToEndId)?.returns).toMatchObject([
        { id: order.refundId, amountCents: 1990 },
      ])
    }),
  )

  it.live("has its reason with it, and none without one", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened({ ways: { returnPace: "atOnce" } })
      const order = { ...refundOrder(psp, charge), amountCents: 500 as Cents, reason: "Produto em falta" }
      yield* processor.refund(order)
      yield* processor.refund(order)
      const { reason: _, ...silent } = order
      yield* processor.refund({ ...silent, refundId: aRefundId(order, 2) })
      const returns = psp.ledger.payments.get(order.endToEndId)?.returns ?? []
      expect(returns.map(({ description }) => description)).toEqual(["Produto em falta", undefined])
    }),
  )

  it.live("leaves its reason out where the bank's contract has none for it", () =>
    Effect.gen(function* () {
      const { refusesRequest } = bankWays.efi.production
      const ways = { returnPace: "atOnce", ...(refusesRequest && { refusesRequest }) } as const
      for (const [returnReason, tag] of [
        ["leftOut", "Returned"],
        ["sent", "Rejected"],
      ] as const) {
        const { psp, processor, charge } = yield* opened({ ways }, { profile: { ...standardProfile, returnReason } })
        const order = { ...refundOrder(psp, charge), reason: "Produto em falta" }
        expect((yield* processor.refund(order))._tag).toBe(tag)
      }
    }),
  )

  it.live("under way is Processing; what then fails says why, and stays failed", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened({ ways: { returnPace: "manual" } })
      const order = refundOrder(psp, charge)
      expect(yield* processor.refund(order)).toEqual({ _tag: "Processing" })
      psp.endReturn(order.endToEndId, order.refundId, "rejected")
      const rejected = { _tag: "Rejected", reason: "the payer's account is closed" }
      expect(yield* processor.lookupRefund(order)).toEqual(rejected)
      expect(yield* processor.refund(order)).toEqual(rejected)
      const second = { ...order, refundId: aRefundId(order, 2) }
      expect((yield* processor.refund(second))._tag).toBe("Processing")
    }),
  )

  for (const repeatedReturn of ["refuses", "repeats"] as const) {
    it.live(`asked for again, where the bank ${repeatedReturn} a known id, moves no more money`, () =>
      Effect.gen(function* () {
        const { psp, processor, charge } = yield* opened({ ways: { repeatedReturn } })
        const order = refundOrder(psp, charge)
        yield* processor.refund(order)
        yield* processor.lookupRefund(order)
        expect((yield* processor.refund(order))._tag).toBe("Returned")
        expect(psp.ledger.payments.get(order.endToEndId)?.returns).toHaveLength(1)
      }),
    )
  }

  it.live("after the 90th day is the bank's refusal, with its reason", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const paid = psp.pay(charge.issuer, charge.txid, { paidAt: firstOf90Days() - 1 })
      const { endToEndId, amountCents } = paid
      const order = { issuer: charge.issuer, endToEndId, amountCents, refundId: "R1" }
      expect(yield* processor.refund(order)).toMatchObject({
        _tag: "Rejected",
        reason: expect.stringContaining("90 days"),
      })
    }),
  )

  it.live("is made in the last hours of the 90th day", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const { endToEndId, amountCents } = psp.pay(charge.issuer, charge.txid, { paidAt: firstOf90Days() })
      const order = { issuer: charge.issuer, endToEndId, amountCents, refundId: "R1" }
      expect((yield* processor.refund(order))._tag).not.toBe("Rejected")
    }),
  )

  it.live("of a payment that the bank doesn't know is rejected", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const order = { ...refundOrder(psp, charge), endToEndId: "E".padEnd(32, "9") }
      expect((yield* processor.refund(order))._tag).toBe("Rejected")
    }),
  )

  it.live("for which our client has no right says nothing of the money: it stays to be asked for again", () =>
    Effect.gen(function* () {
      const scopes = ["cob.write", "cob.read", "cobv.read", "pix.read"]
      const { psp, processor, charge } = yield* opened({ accounts: [{ ...account, scopes }] })
      expect((yield* Effect.flip(processor.refund(refundOrder(psp, charge))))._tag).toBe("ProcessorUnavailable")
    }),
  )

  it.live("whose request hangs is unavailable, and found when looked up", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const order = refundOrder(psp, charge)
      const impatient = yield* impatientProcessor(psp)
      const end = psp.faults.add({ _tag: "HangsAfter" }, ({ method }) => method === "PUT")
      expect((yield* Effect.flip(impatient.refund(order)))._tag).toBe("ProcessorUnavailable")
      end()
      expect((yield* processor.lookupRefund(order))?._tag).toBe("Returned")
      expect(psp.ledger.payments.get(order.endToEndId)?.returns).toHaveLength(1)
    }),
  )
})

const isReturnPut = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method === "PUT" && path.includes("/devolucao/")

describe("a refund that the bank takes long to make", () => {
  for (const meanwhile of [409, 400, 422]) {
    it.live(`is not refused by its own repetition, to which the bank returns ${meanwhile}`, () =>
      Effect.gen(function* () {
        const { psp, processor, charge } = yield* opened({ ways: { returnPace: "atOnce" } })
        const order = refundOrder(psp, charge)
        const { release } = psp.faults.hold(isReturnPut, { meanwhile, isCut: true })
        expect((yield* Effect.flip(processor.refund(order)))._tag).toBe("ProcessorUnavailable")
        expect(yield* processor.lookupRefund(order)).toBeUndefined()
        release()
        expect((yield* processor.lookupRefund(order))?._tag).toBe("Returned")
        expect((yield* processor.refund(order))._tag).toBe("Returned")
        expect(psp.ledger.payments.get(order.endToEndId)?.returns).toHaveLength(1)
      }),
    )
  }

  it.live("is under way for another call to which the bank returns 409, and refused for one with 400", () =>
    Effect.gen(function* () {
      for (const [meanwhile, tag] of [
        [409, "Processing"],
        [400, "Rejected"],
      ] as const) {
        const { psp, processor, charge } = yield* opened({ ways: { returnPace: "atOnce" } })
        const order = refundOrder(psp, charge)
        const { arrived, release } = psp.faults.hold(isReturnPut, { meanwhile })
        const first = yield* Effect.forkChild(processor.refund(order))
        yield* Effect.promise(() => arrived)
        expect((yield* processor.refund(order))._tag).toBe(tag)
        expect(yield* processor.lookupRefund(order)).toBeUndefined()
        release()
        expect((yield* Fiber.join(first))._tag).toBe("Returned")
        expect(psp.ledger.payments.get(order.endToEndId)?.returns).toHaveLength(1)
      }
    }),
  )

  it.live("refused after the bank was only too busy to take it is refused: nothing else was asked", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const order = { ...refundOrder(psp, charge), amountCents: 1991 as Cents }
      psp.faults.add({ _tag: "Status", status: 429, retryAfter: "0" }, isReturnPut, 1)
      expect((yield* processor.refund(order))._tag).toBe("Rejected")
    }),
  )
})

describe("money that went back without us", () => {
  it.live("is a return by its kind: our refund, one made at the bank, a dispute", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened({ ways: { returnPace: "atOnce" } })
      const order = refundOrder(psp, charge)
      psp.returnOutside(order.endToEndId, 100, "ORIGINAL")
      psp.returnOutside(order.endToEndId, 200, "MED_FRAUDE")
      psp.returnOutside(order.endToEndId, 300, "MED_OPERACIONAL")
      yield* processor.refund({ ...order, amountCents: 400 as Cents })
      yield* processor.refund({ ...order, refundId: `${order.endToEndId}X3`, amountCents: 500 as Cents })
      const { returns } = yield* processor.lookup(charge)
      expect(returns.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
        ["outside", 100],
        ["dispute", 200],
        ["dispute", 300],
        ["refund", 400],
        ["refund", 500],
      ])
      expect(returns.every((row) => row.issuer === company.cnpj && row.endToEndId === order.endToEndId)).toBe(true)
    }),
  )

  it.live("counts once it is settled, and at that moment", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened({ ways: { returnPace: "manual" } })
      const order = refundOrder(psp, charge)
      yield* processor.refund(order)
      expect((yield* processor.lookup(charge)).returns).toEqual([])
      psp.endReturn(order.endToEndId, order.refundId, "returned")
      const row = psp.ledger.payments.get(order.endToEndId)?.returns[0]
      expect((yield* processor.lookup(charge)).returns).toMatchObject([{ returnedAt: row?.returnedAt }])
    }),
  )
})

describe("a charge that was removed at the bank", () => {
  for (const removedBy of ["company", "bank"] as const) {
    it.live(`is removed to a look-up, with its payments (by the ${removedBy})`, () =>
      Effect.gen(function* () {
        const { psp, processor, charge } = yield* opened()
        const { endToEndId } = psp.pay(charge.issuer, charge.txid)
        const booked = psp.ledger.charges.get(`${charge.issuer}/${charge.txid}`)
        Object.assign(booked ?? {}, { status: "removed", removedBy })
        expect(yield* processor.lookup(charge)).toMatchObject({ status: "removed", payments: [{ endToEndId }] })
      }),
    )
  }
})

describe("cancelling at a bank", () => {
  it.live("removes the charge from payers", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
      expect([...psp.ledger.charges.values()]).toMatchObject([{ status: "removed" }])
    }),
  )

  it.live("a payment that came first wins the race, and is passed on", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const { endToEndId } = psp.pay(charge.issuer, charge.txid)
      expect(yield* processor.cancel(charge)).toMatchObject({ _tag: "Paid", view: { payments: [{ endToEndId }] } })
    }),
  )

  it.live("what the bank removed by itself, or never knew, is cancelled", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      psp.remove(charge.issuer, charge.txid)
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
      psp.ledger.charges.clear()
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )

  it.live("a removal that was carried out and not answered is finished by the same call", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      psp.faults.add({ _tag: "AnswerLost" }, ({ method }) => method === "PATCH", 1)
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )

  it.live("a bank that won't remove an active charge is a rejection, and the charge stays payable", () =>
    Effect.gen(function* () {
      const scopes = ["cob.write", "cob.read"]
      const { processor, charge } = yield* opened({ accounts: [{ ...account, scopes }] })
      scopes.shift()
      expect(yield* Effect.flip(processor.cancel(charge))).toMatchObject({
        _tag: "ProcessorRejected",
        reason: saying("AcessoNegado"),
      })
      expect((yield* processor.lookup(charge)).status).toBe("active")
    }),
  )
})
