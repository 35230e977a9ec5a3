import { PaymentProcessor } from "@pixcharge/core"
import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { apiPix } from "../src/index.ts"

const makeBank = () => apiPix({ companies: () => Promise.resolve(undefined) }).processor

it.live("two banks in one program have separate processors", () => {
  const [first, second] = [makeBank(), makeBank()]
  return Effect.gen(function* () {
    const outer = yield* Effect.context<PaymentProcessor | RecurrenceProcessor>()
    const inner = yield* Effect.provide(Effect.context<PaymentProcessor | RecurrenceProcessor>(), second)
    expect(Context.get(inner, PaymentProcessor)).not.toBe(Context.get(outer, PaymentProcessor))
    expect(Context.get(inner, RecurrenceProcessor)).not.toBe(Context.get(outer, RecurrenceProcessor))
    expect(yield* Effect.provide(PaymentProcessor, first)).toBe(Context.get(outer, PaymentProcessor))
  }).pipe(Effect.provide(first))
})
