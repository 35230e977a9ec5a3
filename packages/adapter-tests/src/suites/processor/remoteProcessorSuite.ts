import type { RefundOrder } from "@pixcharge/core"
import type { Cents } from "@pixcharge/core/money"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { endOfRefund, processorSuiteCase, type ProcessorSuiteCase, type ProcessorUnderTest } from "./ProcessorDriver.ts"
import { paymentProcessorSuite } from "./paymentProcessorSuite.ts"
import { anOrder, aRefundOrder, aRegisteredCharge, registeredPending } from "../../fixtures/Orders.ts"

/** Runs an effect while the processor misbehaves. */
export type Fault = <A, E>(during: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** A processor behind a network, with its faults. */
export interface RemoteProcessorUnderTest extends ProcessorUnderTest {
  /** No call arrives. */
  readonly unreachable: Fault
  /** Every call is carried out, and its answer is lost. */
  readonly answersLost: Fault
  /** Refunds requested during the effect stay under way until `endRefund`. */
  readonly slowRefunds: Fault
  readonly endRefund: (order: RefundOrder, how: "returned" | "rejected") => Effect.Effect<void, unknown>
}

const faultCases = (test: ProcessorSuiteCase<RemoteProcessorUnderTest>): void => {
  test("fails every call as unavailable while the processor is out of reach", ({ unreachable, ...kit }) =>
    Effect.gen(function* () {
      const { processor, company, pay } = kit
      const charge = yield* aRegisteredCharge(processor, company)
      const refund = aRefundOrder(yield* pay(charge))
      const calls: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        processor.register(yield* anOrder(company)),
        processor.change({ ...(yield* anOrder(company)), txid: charge.txid }),
        processor.lookup(charge),
        processor.cancel(charge),
        processor.refund(refund),
        processor.lookupRefund(refund),
        // The adapter wouldn't request a period that is in the future by the processor's clock.
        processor.payments(company.cnpj, { from: charge.createdAt - 60_000, until: charge.createdAt }),
      ]
      for (const call of calls) {
        expect((yield* unreachable(Effect.flip(call)))._tag).toBe("ProcessorUnavailable")
      }
    }))

  test("completes a registration whose answer was lost when the call is repeated", ({ answersLost, ...kit }) =>
    Effect.gen(function* () {
      const { processor, company } = kit
      for (const given of [{}, { dueInDays: 2 }]) {
        const order = yield* anOrder(company, given)
        yield* answersLost(Effect.exit(processor.register(order)))
        const registered = yield* processor.register(order)
        expect((yield* processor.lookup(registeredPending(order, registered))).status).toBe("active")
        const conflict = yield* Effect.flip(processor.register({ ...order, amountCents: 1 as Cents }))
        expect(conflict._tag).toBe("ChargeConflict")
      }
    }))

  test("completes a change whose answer was lost when the call is repeated", ({ answersLost, ...kit }) =>
    Effect.gen(function* () {
      const { processor, company } = kit
      for (const given of [{}, { dueInDays: 2 }]) {
        const order = yield* anOrder(company, given)
        const charge = registeredPending(order, yield* processor.register(order))
        const changed = { ...order, amountCents: 2500 as Cents }
        yield* answersLost(Effect.exit(processor.change(changed)))
        yield* processor.change(changed)
        expect(yield* processor.lookup(charge)).toMatchObject({ status: "active", terms: { amountCents: 2500 } })
      }
    }))

  test("finds a refund whose answer was lost, and makes it once", ({ answersLost, ...kit }) =>
    Effect.gen(function* () {
      const { processor, company, pay } = kit
      const charge = yield* aRegisteredCharge(processor, company)
      const order = aRefundOrder(yield* pay(charge))
      yield* answersLost(Effect.exit(processor.refund(order)))
      const known = yield* processor.lookupRefund(order)
      expect(known).toBeDefined()
      expect((yield* endOfRefund(processor, order, yield* processor.refund(order)))?._tag).toBe("Returned")
      expect((yield* processor.lookup(charge)).returns).toHaveLength(1)
    }))

  test("completes a cancellation whose answer was lost when the call is repeated", ({ answersLost, ...kit }) =>
    Effect.gen(function* () {
      const charge = yield* aRegisteredCharge(kit.processor, kit.company)
      yield* answersLost(Effect.exit(kit.processor.cancel(charge)))
      expect(yield* kit.processor.cancel(charge)).toEqual({ _tag: "Cancelled" })
    }))

  test("keeps a slow refund under way until it succeeds or fails", ({ slowRefunds, endRefund, ...kit }) =>
    Effect.gen(function* () {
      const { processor, company, pay } = kit
      for (const how of ["returned", "rejected"] as const) {
        const charge = yield* aRegisteredCharge(processor, company)
        const order = aRefundOrder(yield* pay(charge))
        expect(yield* slowRefunds(processor.refund(order))).toEqual({ _tag: "Processing" })
        expect(yield* processor.lookupRefund(order)).toEqual({ _tag: "Processing" })
        expect((yield* processor.lookup(charge)).returns).toEqual([])
        yield* endRefund(order, how)
        const expected = how === "returned" ? "Returned" : "Rejected"
        expect((yield* processor.lookupRefund(order))?._tag).toBe(expected)
        expect((yield* processor.refund(order))._tag).toBe(expected)
        expect((yield* processor.lookup(charge)).returns).toHaveLength(how === "returned" ? 1 : 0)
      }
    }))
}

/** Tests of a `PaymentProcessor` behind a network: `paymentProcessorSuite`, and tests with network faults. */
export const remoteProcessorSuite = (
  name: string,
  open: Effect.Effect<RemoteProcessorUnderTest, unknown, Scope.Scope>,
): void => {
  paymentProcessorSuite(name, open)
  describe(`${name}: a processor behind a network`, () => faultCases(processorSuiteCase(open)))
}
