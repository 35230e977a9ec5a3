import { CallbackEndpoints, DirectoryUnavailable } from "@pixcharge/core"
import { factKinds } from "@pixcharge/core/charges"
import { type Endpoint, InvalidRegistration } from "@pixcharge/core/directory"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const hostId = "host"

/** An endpoint of the directory has the name of the host's function: of two with one name only one would get events. */
const refuseName = (cnpj: Cnpj) =>
  new DirectoryUnavailable({
    operation: "endpointsForCompany",
    cause: new InvalidRegistration({
      cnpj,
      field: "callback.id",
      problem: '"host" is the name of the host\'s own function',
    }),
  })

/**
 * The directory's endpoints, and the host's own function as one more endpoint of every company, called `host`. Its status
 * is kept in this process only.
 */
export const hostEndpoints = Layer.effect(
  CallbackEndpoints,
  Effect.map(Effect.service(CallbackEndpoints), (endpoints) => {
    let status: Endpoint["status"] = "enabled"
    // The host's own function gets every event.
    const host = (): Endpoint => ({ id: hostId, target: { _tag: "Host" }, kinds: factKinds, status })
    return CallbackEndpoints.of({
      forCompany: (issuer) =>
        Effect.flatMap(endpoints.forCompany(issuer), (known) =>
          known.some(({ id }) => id === hostId) ? Effect.fail(refuseName(issuer)) : Effect.succeed([...known, host()]),
        ),
      find: (id) => (id === hostId ? Effect.sync(host) : endpoints.find(id)),
      setStatus: (id, next) =>
        id === hostId ? Effect.sync(() => void (status = next)) : endpoints.setStatus(id, next),
    })
  }),
)
