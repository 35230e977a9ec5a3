import { PayerData, PaymentProcessor, PixCharges, type RefundOrder } from "@pixcharge/core"
import { aCnpj, cents, cpf } from "@pixcharge/adapter-tests/fixtures"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { anIdleReconciler, anIssuedCharge, failureTag, pay, scenario, type World } from "../World.ts"

const taxId = cpf("52998224725")

/** A charge paid by a payer, and the orders that reach the bank. */
const paidByPayer = Effect.fnUntraced(function* (world: World) {
  const processor = yield* PaymentProcessor
  const { refund } = processor
  const orders: Array<RefundOrder> = []
  Object.assign(processor, { refund: (order: RefundOrder) => (orders.push(order), refund(order)) })
  const { charge } = yield* pay(world, yield* anIssuedCharge({ payer: { taxId, name: "Maria" } }))
  const erase = Effect.flatMap(PayerData, (payers) => payers.erase(aCnpj, taxId, 0))
  type Ask = (reason: string) => Effect.Effect<unknown, { readonly _tag: string }, PixCharges>
  const whole: Ask = (reason) => Effect.flatMap(PixCharges, (charges) => charges.refund(aCnpj, charge.id, reason))
  const part: Ask = (reason) =>
    Effect.flatMap(PixCharges, (charges) =>
      charges.refundPart(aCnpj, charge.id, { key: "a", amountCents: cents(500), reason }),
    )
  return { orders, erase, whole, part }
})

const reasons = (orders: ReadonlyArray<RefundOrder>) => orders.map(({ reason }) => reason)

for (const kind of ["whole", "part"] as const) {
  describe(`the reason of a refund: ${kind}`, () => {
    scenario("is the first one in repeated calls, and is removed by an erasure", (world) =>
      Effect.gen(function* () {
        const { orders, erase, [kind]: ask } = yield* paidByPayer(world)
        world.bank.fail("refund", "unreachable", "unreachable", "unreachable")
        yield* ask("Falta de Maria")
        yield* ask("Outro")
        expect(yield* erase).toBe(1)
        yield* ask("Falta de Maria")
        yield* TestClock.adjust("1 hour")
        yield* (yield* anIdleReconciler).round
        expect(reasons(orders)).toEqual(["Falta de Maria", "Falta de Maria", undefined, undefined])
        expect(new Set(orders.map(({ refundId }) => refundId)).size).toBe(1)
      }),
    )

    scenario("is absent if a failed refund is requested again after the erasure", (world) =>
      Effect.gen(function* () {
        const { orders, erase, [kind]: ask } = yield* paidByPayer(world)
        world.bank.refunds("rejected")
        expect(yield* failureTag(ask("Falta de Maria"))).toBe("RefundRejected")
        yield* erase
        yield* ask("Falta de Maria")
        expect(reasons(orders)).toEqual(["Falta de Maria", undefined])
        expect(new Set(orders.map(({ refundId }) => refundId)).size).toBe(2)
      }),
    )
  })
}
