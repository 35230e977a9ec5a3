import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { describe } from "vitest"
import { cancelCases } from "./paymentProcessor/cancelCases.ts"
import { lookupCases } from "./paymentProcessor/lookupCases.ts"
import { paymentsCases } from "./paymentProcessor/paymentsCases.ts"
import { processorSuiteCase, type ProcessorUnderTest } from "./paymentProcessor/ProcessorDriver.ts"
import { refundCases } from "./paymentProcessor/refundCases.ts"
import { registerCases } from "./paymentProcessor/registerCases.ts"
import { storedCases } from "./paymentProcessor/storedCases.ts"

/** What every `PaymentProcessor` promises the service. `open` makes a new one for each test. */
export const paymentProcessorSuite = (
  name: string,
  open: Effect.Effect<ProcessorUnderTest, unknown, Scope.Scope>,
): void => {
  const test = processorSuiteCase(open)
  describe(`${name}: a payment processor`, () => {
    registerCases(test)
    storedCases(test)
    lookupCases(test)
    cancelCases(test)
    refundCases(test)
    paymentsCases(test)
  })
}
