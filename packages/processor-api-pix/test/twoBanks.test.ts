import { PaymentProcessor } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { it } from "@pixcharge/testkit/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { apiPix } from "../src/index.ts"

const makeBank = () => apiPix({ companies: () => Promise.resolve(undefined) }).processor

it.live("two banks in one program have processors of their own", () => {
  const [first, second] = [makeBank(), makeBank()]
  return Effect.gen(function* () {
    const outer = yield* Effect.context<PaymentProcessor | RecurrenceProcessor>()
    const inner = yield* Effect.provide(Effect.context<PaymentProcessor | RecurrenceProcessor>(), second)
    for (const service of [PaymentProcessor, RecurrenceProcessor] as const)
      expect(Context.get(inner, service)).not.toBe(Context.get(outer, service))
    expect(yield* Effect.provide(PaymentProcessor, first)).toBe(Context.get(outer, PaymentProcessor))
  }).pipe(Effect.provide(first))
})
