import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PixEvent } from "../charges/rules/PixEvent.ts"
import type { Endpoint } from "../directory/Endpoint.ts"

/** How one attempt to deliver an event ended. Facts only: the dispatcher decides whether and when to retry. */
export type DeliveryOutcome = {
  readonly status?: number
  readonly answer?: string
} & (
  | { readonly _tag: "Delivered" }
  | { readonly _tag: "Retry"; readonly reason: string; readonly retryAfterMs?: number }
  /** The receiver wants no more events (HTTP 410). */
  | { readonly _tag: "Gone" }
)

/** Delivers one event to one endpoint, once. Never fails: what goes wrong is an outcome. */
export class CallbackDelivery extends Context.Service<
  CallbackDelivery,
  {
    readonly deliver: (
      event: PixEvent,
      endpoint: Endpoint,
      /** From 1. */
      attempt: number,
    ) => Effect.Effect<DeliveryOutcome>
  }
>()("@pixcharge/core/ports/CallbackDelivery") {}
