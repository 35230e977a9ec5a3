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

/** The start of the day 90 days ago: today is the last day for a return of its payments. */
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

  it.live("is sent with its reason if it has a reason", () =>
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

  it.live("is sent without its reason if the bank's API has no reason", () =>
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

  it.live("is `Processing` while it is under way, and stays rejected with the bank's reason", () =>
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
    it.live(`returns the money only once if it is repeated at a bank that ${repeatedReturn} a known id`, () =>
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

  it.live("is rejected with the bank's reason after the 90th day", () =>
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

  it.live("succeeds in the last hours of the 90th day", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const { endToEndId, amountCents } = psp.pay(charge.issuer, charge.txid, { paidAt: firstOf90Days() })
      const order = { issuer: charge.issuer, endToEndId, amountCents, refundId: "R1" }
      expect((yield* processor.refund(order))._tag).not.toBe("Rejected")
    }),
  )

  it.live("is rejected if the bank doesn't know the payment", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const order = { ...refundOrder(psp, charge), endToEndId: "E".padEnd(32, "9") }
      expect((yield* processor.refund(order))._tag).toBe("Rejected")
    }),
  )

  it.live("can be retried after the bank has refused the client's scopes", () =>
    Effect.gen(function* () {
      const scopes = ["cob.write", "cob.read", "cobv.read", "pix.read"]
      const { psp, processor, charge } = yield* opened({ accounts: [{ ...account, scopes }] })
      expect((yield* Effect.flip(processor.refund(refundOrder(psp, charge))))._tag).toBe("ProcessorUnavailable")
    }),
  )

  it.live("counts as unavailable if its request isn't answered in time, and a look-up then finds it", () =>
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

describe("a refund that the bank makes slowly", () => {
  for (const meanwhile of [409, 400, 422]) {
    it.live(`isn't rejected if its own retry returns ${meanwhile}`, () =>
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

  it.live("counts as under way if another call for it gets a 409, and as rejected if that gets a 400", () =>
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

  it.live("is rejected if the bank refuses it after a 429", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const order = { ...refundOrder(psp, charge), amountCents: 1991 as Cents }
      psp.faults.add({ _tag: "Status", status: 429, retryAfter: "0" }, isReturnPut, 1)
      expect((yield* processor.refund(order))._tag).toBe("Rejected")
    }),
  )
})

describe("returned money", () => {
  it.live("is shown as our refund, as a return outside of our system or as a dispute", () =>
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

  it.live("appears only once it is settled, with the time of the settlement", () =>
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
    it.live(`is shown as removed with its payments by a look-up (removed by the ${removedBy})`, () =>
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
  it.live("hides the charge from payers", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
      expect([...psp.ledger.charges.values()]).toMatchObject([{ status: "removed" }])
    }),
  )

  it.live("returns the charge as paid if a payment came first", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      const { endToEndId } = psp.pay(charge.issuer, charge.txid)
      expect(yield* processor.cancel(charge)).toMatchObject({ _tag: "Paid", view: { payments: [{ endToEndId }] } })
    }),
  )

  it.live("succeeds if the bank removed the charge or doesn't know it", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      psp.remove(charge.issuer, charge.txid)
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
      psp.ledger.charges.clear()
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )

  it.live("succeeds even if the bank's answer to the removal is lost", () =>
    Effect.gen(function* () {
      const { psp, processor, charge } = yield* opened()
      psp.faults.add({ _tag: "AnswerLost" }, ({ method }) => method === "PATCH", 1)
      expect(yield* processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
    }),
  )

  it.live("is rejected if the bank keeps the charge active", () =>
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
