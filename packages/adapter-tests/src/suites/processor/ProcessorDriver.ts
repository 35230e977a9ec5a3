import type { PaymentProcessor, RefundOrder } from "@pixcharge/core"
import type { PaymentNotice, PendingCharge, RefundOutcome } from "@pixcharge/core/charges"
import type { Company } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { it } from "../itEffect.ts"

type Processor = PaymentProcessor["Service"]

/** A processor and its surroundings, new for every test. */
export interface ProcessorUnderTest {
  readonly processor: Processor
  /** Two companies that receive payments through the processor. */
  readonly company: Company
  readonly otherCompany: Company
  /** Pays the charge in full, as a payer does; returns the payment's notice. */
  readonly pay: (charge: PendingCharge) => Effect.Effect<PaymentNotice, unknown>
  /** The page size of `payments`; the suite makes payments for more than two pages. */
  readonly paymentsPerPage: number
}

export type ProcessorSuiteCase<Kit extends ProcessorUnderTest = ProcessorUnderTest> = (
  title: string,
  body: (kit: Kit) => Effect.Effect<void, unknown>,
) => void

/** Makes a test of each case, with a new processor. */
export const processorSuiteCase =
  <Kit extends ProcessorUnderTest>(open: Effect.Effect<Kit, unknown, Scope.Scope>): ProcessorSuiteCase<Kit> =>
  (title, body) =>
    it.live(title, () => Effect.flatMap(open, body))

/** Looks up a refund until its outcome is known. */
export const endOfRefund = Effect.fnUntraced(function* (
  processor: Processor,
  order: RefundOrder,
  first: RefundOutcome,
) {
  let outcome: RefundOutcome | undefined = first
  for (let round = 0; round < 100 && outcome?._tag === "Processing"; round++) {
    yield* Effect.sleep(20)
    outcome = yield* processor.lookupRefund(order)
  }
  return outcome
})
