import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { PixEvent } from "../charges/rules/PixEvent.ts"
import { CallbackDelivery, type DeliveryOutcome } from "../ports/CallbackDelivery.ts"
import type { EndpointTarget } from "../directory/Endpoint.ts"

/**
 * A function of the embedding host that takes events. To return is to have taken the event for good; to throw, to reject
 * or to need more than 15 s is to want it again later, under the same id.
 */
export type EventTaker = (event: PixEvent) => void | Promise<void>

const limitMs = 15_000
const maxReasonLength = 1_024

/** Delivers events in process, through the same durable outbox, attempts and dead letters as over HTTP. */
export const hostDelivery = (take: EventTaker): Layer.Layer<CallbackDelivery> =>
  Layer.succeed(CallbackDelivery, { deliver: (event) => deliver(take, event) })

const deliver = (take: EventTaker, event: PixEvent): Effect.Effect<DeliveryOutcome> =>
  Effect.tryPromise({
    try: async () => take(event),
    catch: (error): DeliveryOutcome => ({ _tag: "Retry", reason: failureReason(error) }),
  }).pipe(
    Effect.match({ onSuccess: (): DeliveryOutcome => ({ _tag: "Delivered" }), onFailure: (outcome) => outcome }),
    Effect.timeoutOrElse({
      duration: limitMs,
      orElse: () => Effect.succeed<DeliveryOutcome>({ _tag: "Retry", reason: "the host's function took over 15 s" }),
    }),
  )

const failureReason = (error: unknown): string => String(error).slice(0, maxReasonLength)

/** Sends each event the way its endpoint's target asks for: over HTTP by one delivery, into the host by the other. */
export const deliveryByTarget = (
  deliveries: Readonly<Record<Lowercase<EndpointTarget["_tag"]>, Layer.Layer<CallbackDelivery>>>,
): Layer.Layer<CallbackDelivery> =>
  Layer.effect(
    CallbackDelivery,
    Effect.gen(function* () {
      const http = yield* Effect.provide(CallbackDelivery, yield* Layer.build(deliveries.http))
      const host = yield* Effect.provide(CallbackDelivery, yield* Layer.build(deliveries.host))
      return {
        deliver: (event, endpoint, attempt) =>
          (endpoint.target._tag === "Http" ? http : host).deliver(event, endpoint, attempt),
      }
    }),
  )
