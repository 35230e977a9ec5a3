import {
  type CallbackDelivery,
  CallbackEndpoints,
  deliveryByTarget,
  type Endpoint,
  type EventTaker,
  hostDelivery,
} from "@pixcharge/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const hostEndpoint: Endpoint = { id: "host", target: { _tag: "Host" }, kinds: ["paid", "refunded"], status: "enabled" }

/** The directory's endpoints, and the host's own function as one more of every company. */
export const hostEndpoints = Layer.effect(
  CallbackEndpoints,
  Effect.map(Effect.service(CallbackEndpoints), (endpoints) => ({
    of: (issuer) => Effect.map(endpoints.of(issuer), (known) => [...known, hostEndpoint]),
    find: (id) => (id === hostEndpoint.id ? Effect.succeed(hostEndpoint) : endpoints.find(id)),
    setStatus: (id, status) => (id === hostEndpoint.id ? Effect.void : endpoints.setStatus(id, status)),
  })),
)

/** Over HTTP to those who have a URL, and into the host's function. */
export const hostDeliveries = (
  callbacks: Layer.Layer<CallbackDelivery>,
  onEvent: EventTaker,
): Layer.Layer<CallbackDelivery> => deliveryByTarget({ http: callbacks, host: hostDelivery(onEvent) })
