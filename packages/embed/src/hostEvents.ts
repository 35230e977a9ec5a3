import {
  type CallbackDelivery,
  CallbackEndpoints,
  deliveryByTarget,
  DirectoryUnavailable,
  type Endpoint,
  type EventTaker,
  hostDelivery,
  InvalidRegistration,
} from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const hostEndpoint: Endpoint = { id: "host", target: { _tag: "Host" }, kinds: ["paid", "refunded"], status: "enabled" }

/** The name is taken: what is sent to two endpoints of one name would reach one of them only. */
const nameTaken = (cnpj: Cnpj) =>
  new DirectoryUnavailable({
    operation: "endpointsForCompany",
    cause: new InvalidRegistration({
      cnpj,
      field: "callback.id",
      problem: '"host" is the name of the host\'s own function',
    }),
  })

/**
 * The directory's endpoints, and the host's own function as one more of every company, called `host`. Whether that is
 * paused is known in this process only, and until it ends.
 */
export const hostEndpoints = Layer.effect(
  CallbackEndpoints,
  Effect.map(Effect.service(CallbackEndpoints), (endpoints) => {
    let host = hostEndpoint
    return CallbackEndpoints.of({
      forCompany: (issuer) =>
        Effect.flatMap(endpoints.forCompany(issuer), (known) =>
          known.some(({ id }) => id === host.id) ? Effect.fail(nameTaken(issuer)) : Effect.succeed([...known, host]),
        ),
      find: (id) => (id === host.id ? Effect.sync(() => host) : endpoints.find(id)),
      setStatus: (id, status) =>
        id === host.id
          ? Effect.sync(() => {
              host = { ...host, status }
            })
          : endpoints.setStatus(id, status),
    })
  }),
)

/** Over HTTP to those who have a URL, and into the host's function. */
export const hostDeliveries = (
  callbacks: Layer.Layer<CallbackDelivery>,
  onEvent: EventTaker,
): Layer.Layer<CallbackDelivery> => deliveryByTarget({ http: callbacks, host: hostDelivery(onEvent) })
