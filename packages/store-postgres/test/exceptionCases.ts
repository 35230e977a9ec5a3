import {
  ChargeLists,
  ChargeStore,
  OutboxSignal,
  PayerData,
  PaymentExceptions,
  PaymentProcessor,
  ProcessorUnavailable,
  type RefundOrder,
} from "@pixcharge/core"
import type { RefundOutcome } from "@pixcharge/core/charges"
import { type Connection, postgresStore } from "@pixcharge/store-postgres"
import {
  aCnpj,
  aPaidCharge,
  aPayment,
  aPendingCharge,
  anUnmatchedPayment,
  cpf,
  eventDirectory,
} from "@pixcharge/adapter-tests/fixtures"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { expect } from "vitest"
import { storeHooks } from "@pixcharge/verify/postgres"

const aBank = (answers: Array<RefundOutcome | "unanswered">) => {
  const orders: Array<RefundOrder> = []
  const layer = Layer.succeed(PaymentProcessor, {
    locality: "remote",
    refund: (order: RefundOrder) =>
      Effect.suspend(() => {
        orders.push(order)
        const answer = answers.shift() ?? "unanswered"
        return answer === "unanswered"
          ? Effect.fail(new ProcessorUnavailable({ operation: "refund" }))
          : Effect.succeed(answer)
      }),
    lookupRefund: () => Effect.succeed(undefined),
    lookup: () => Effect.succeed({ status: "unknown", payments: [], returns: [] }),
    payments: () => Effect.succeed({ items: [] }),
  } as unknown as PaymentProcessor["Service"])
  return { orders, layer }
}

const always = { from: 0, until: 4e12 }

export const exceptionCases = (db: Connection): void => {
  const withService = <A, E>(
    bank: ReturnType<typeof aBank>,
    body: (
      service: PaymentExceptions["Service"],
      store: ChargeStore["Service"],
    ) => Effect.Effect<A, E, ChargeLists | PayerData | ChargeStore | PaymentExceptions>,
  ) => {
    const layer = PaymentExceptions.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(bank.layer, postgresStore({ db }), eventDirectory(), OutboxSignal.layer)),
    )
    return Effect.gen(function* () {
      const service = yield* PaymentExceptions
      const store = yield* ChargeStore
      yield* storeHooks(db).reset ?? Effect.void
      return yield* body(service, store)
    }).pipe(Effect.provide(layer))
  }

  it.live(
    "lists an unmatched payment, commits its refund before the request, and requests the refund again if the bank doesn't answer",
    () => {
      const bank = aBank(["unanswered", { _tag: "Returned", returnedAt: Date.now() }])
      return withService(bank, (service, store) =>
        Effect.gen(function* () {
          const payment = anUnmatchedPayment({ paidAt: Date.now() })
          yield* store.recordUnmatched(payment)
          expect((yield* service.list(aCnpj, { limit: 10 })).items).toMatchObject([{ payment, reason: "unmatched" }])
          const hanging = yield* service.refund(aCnpj, payment.endToEndId)
          expect(hanging.state._tag).toBe("Refunding")
          const returned = yield* service.refund(aCnpj, payment.endToEndId)
          expect(returned).toMatchObject({ state: { _tag: "Refunded" }, returns: [{ kind: "refund" }] })
          expect(new Set(bank.orders.map(({ refundId }) => refundId)).size).toBe(1)
          expect((yield* service.list(aCnpj, { limit: 10 })).items).toEqual([])
        }),
      )
    },
  )

  it.live("finds no payment for an endToEndId that a store can't store", () =>
    withService(aBank([]), (service) =>
      Effect.gen(function* () {
        for (const operation of [service.find, service.refund]) {
          expect(yield* Effect.flip(operation(aCnpj, "E1234\0"))).toMatchObject({ _tag: "ExceptionNotFound" })
        }
      }),
    ),
  )

  it.live("resolves an exception with a note", () =>
    withService(aBank([]), (service, store) =>
      Effect.gen(function* () {
        const payment = anUnmatchedPayment()
        yield* store.recordUnmatched(payment)
        const resolved = yield* service.resolve(aCnpj, payment.endToEndId, "pedido 12 entregue")
        expect(resolved.state).toMatchObject({ _tag: "Resolved", note: "pedido 12 entregue" })
        expect((yield* service.list(aCnpj, { limit: 10 })).items).toEqual([])
      }),
    ),
  )

  it.live("lists the day's payments, and keeps the payments of an erased payer", () =>
    withService(aBank([]), (_, store) =>
      Effect.gen(function* () {
        const lists = yield* ChargeLists
        const payerData = yield* PayerData
        const payer = { name: "Ana Souza", taxId: cpf("52998224725") }
        const charge = aPendingCharge({ payer })
        yield* store.insert(charge)
        const payment = aPayment(charge)
        const next = aPaidCharge(charge, payment)
        const change = { issuer: aCnpj, id: charge.id, expectedVersion: 1, next, payments: [payment] }
        yield* store.commit({ ...change, returns: [], deliveries: [] })
        expect((yield* lists.payments(aCnpj, always, { limit: 10 })).items).toEqual([payment])
        expect((yield* payerData.export(aCnpj, payer.taxId)).charges).toEqual([next])
        expect(yield* payerData.erase(aCnpj, payer.taxId, Date.now())).toBe(1)
        expect((yield* payerData.export(aCnpj, payer.taxId)).charges).toEqual([])
        expect((yield* lists.payments(aCnpj, always, { limit: 10 })).items).toEqual([payment])
      }),
    ),
  )
}
