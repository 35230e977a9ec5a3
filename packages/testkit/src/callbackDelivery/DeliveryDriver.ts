import { CallbackDelivery, type DeliveryOutcome, type Endpoint, type PixEvent } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { it } from "vitest"
import { aTestEvent } from "../fixtures/Payments.ts"

/** Secrets as receivers hold them: 32 bytes in base64. */
export const aSecret = "whsec_c2VncmVkby1kZS10ZXN0ZS1jb20tMzItYnl0ZXMtISE="
export const anOlderSecret = "whsec_b3V0cm8tc2VncmVkby1kZS10ZXN0ZS0zMi1ieXRlcyE="

/** An enabled endpoint at this URL. */
export const anHttpEndpoint = (url: string, secrets: ReadonlyArray<string> = [aSecret]): Endpoint => ({
  id: "endpoint-1",
  target: { _tag: "Http", url, secrets: secrets.map((secret) => Redacted.make(secret)) },
  kinds: ["paid", "refunded"],
  status: "enabled",
})

/** Tells an event to the endpoint at this URL, once. */
export const deliverTo = Effect.fnUntraced(function* (url: string, event: PixEvent = aTestEvent()) {
  const delivery = yield* CallbackDelivery
  return yield* delivery.deliver(event, anHttpEndpoint(url), 1)
})

/** An outcome and how long it took. */
export const timed = <E, R>(
  effect: Effect.Effect<DeliveryOutcome, E, R>,
): Effect.Effect<{ readonly outcome: DeliveryOutcome; readonly ms: number }, E, R> =>
  Effect.gen(function* () {
    const began = performance.now()
    const outcome = yield* effect
    return { outcome, ms: performance.now() - began }
  })

/** Makes a test of each case; those that wait out a limit run side by side. */
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
    slow: (title, body) => it.concurrent(title, run(body), 20_000),
  }
}
