import { CallbackEndpoints, CompanyDirectory, type Registrations } from "@pixcharge/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeRegistry, type Registry } from "./Registry.ts"

/** The Layer that a host passes on, and a handle for changing the list while the service runs. */
export interface MemoryDirectory extends Layer.Layer<CompanyDirectory | CallbackEndpoints>, Registry {}

/**
 * Companies, resellers and their callbacks as a list in code.
 *
 * Throws `InvalidRegistration`, which says in one sentence whose registration can't be used and why.
 */
export const memoryDirectory = (registrations: Registrations): MemoryDirectory => {
  const { find, byPixKey, endpointsOf, findEndpoint, setStatus, ...registry } = makeRegistry(registrations)
  const directory = CompanyDirectory.of({
    find: (cnpj) => Effect.sync(() => find(cnpj)),
    byPixKey: (pixKey) => Effect.sync(() => byPixKey(pixKey)),
  })
  const endpoints = CallbackEndpoints.of({
    of: (issuer) => Effect.sync(() => endpointsOf(issuer)),
    find: (endpointId) => Effect.sync(() => findEndpoint(endpointId)),
    setStatus: (endpointId, status) => Effect.sync(() => setStatus(endpointId, status)),
  })
  const services = Context.make(CompanyDirectory, directory).pipe(Context.add(CallbackEndpoints, endpoints))
  return Object.assign(Layer.succeedContext(services), registry)
}
