import { CallbackDelivery, type DeliveryOutcome } from "@pixcharge/core"
import type { EventKind, PixEvent } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { it } from "vitest"
import { anHttpEndpoint } from "../../fixtures/Endpoints.ts"
import { aTestEvent } from "../../fixtures/Payments.ts"
import { startStopwatch } from "../../fixtures/startStopwatch.ts"

export const deliverTo = Effect.fnUntraced(function* (
  url: string,
  event: PixEvent = aTestEvent(),
  kinds: ReadonlyArray<EventKind> = ["paid"],
) {
  const delivery = yield* CallbackDelivery
  return yield* delivery.deliver(event, { ...anHttpEndpoint(url), kinds }, 1)
})

/** Runs the effect, and returns its outcome and its duration by a stopwatch. */
export const measureTime = <E, R>(
  effect: Effect.Effect<DeliveryOutcome, E, R>,
): Effect.Effect<{ readonly outcome: DeliveryOutcome; readonly ms: number }, E, R> =>
  Effect.gen(function* () {
    const stop = startStopwatch()
    const outcome = yield* effect
    return { outcome, ms: stop() }
  })

/** Makes a test. The `slow` tests, which wait for a time limit, run concurrently. */
export type DeliveryCase = (
  title: string,
  body: () => Effect.Effect<void, unknown, CallbackDelivery | Scope.Scope>,
) => void

export const deliveryCases = (
  layer: Layer.Layer<CallbackDelivery, unknown>,
): { readonly test: DeliveryCase; readonly slow: DeliveryCase } => {
  const run = (body: Parameters<DeliveryCase>[1]) => async () => {
    await Effect.runPromise(Effect.provide(Effect.scoped(Effect.suspend(body)), layer))
  }
  return {
    test: (title, body) => it(title, run(body)),
    slow: (title, body) => it.concurrent(title, run(body), 180_000),
  }
}
