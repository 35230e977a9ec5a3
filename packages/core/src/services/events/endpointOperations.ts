import * as Effect from "effect/Effect"
import type { EventKind } from "../../model/charge/PixEvent.ts"
import { EndpointNotFound } from "../../model/directory/directoryErrors.ts"
import { callbackId, type Endpoint, endpointHost } from "../../model/directory/Endpoint.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import type { CompanyDirectory } from "../../ports/CompanyDirectory.ts"
import type { Outbox, QueueDepth } from "../../ports/Outbox.ts"
import type { OutboxSignal } from "./OutboxSignal.ts"

/** An endpoint that gets a company's events, without its secret and its URL's path. */
export interface EndpointOverview extends QueueDepth {
  readonly id: string
  /** Host of its URL; absent for a function of the embedding host. */
  readonly host?: string
  readonly kinds: ReadonlyArray<EventKind>
  /** `paused` by a person, `disabled` by the receiver's 410; events wait in both cases. */
  readonly status: Endpoint["status"]
  /** Whether this company can `pause` and `resume` it. */
  readonly isOwn: boolean
  /** `failing` while an event of this company waits after a failed attempt. */
  readonly health: "healthy" | "failing"
}

export interface EndpointPorts {
  readonly outbox: Outbox["Service"]
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
  readonly signal: OutboxSignal["Service"]
}

/** A company controls only HTTP endpoints that don't get other companies' events. */
const loadIsOwn = ({ directory }: EndpointPorts, issuer: Cnpj) =>
  Effect.map(directory.find(issuer), (entry) => ({ id, target }: Endpoint): boolean => {
    if (target._tag !== "Http" || entry === undefined) return false
    const { cnpj, reseller } = entry.company
    return reseller === undefined || reseller.cnpj === cnpj || id === callbackId(cnpj)
  })

export const findSubscribed = Effect.fnUntraced(function* (
  { endpoints }: EndpointPorts,
  issuer: Cnpj,
  endpointId: string,
) {
  const endpoint = (yield* endpoints.forCompany(issuer)).find(({ id }) => id === endpointId)
  return endpoint ?? (yield* new EndpointNotFound({ endpointId }))
})

export const listOverviews = Effect.fnUntraced(function* (ports: EndpointPorts, issuer: Cnpj) {
  const isOwn = yield* loadIsOwn(ports, issuer)
  return yield* Effect.forEach(yield* ports.endpoints.forCompany(issuer), (endpoint) =>
    Effect.map(ports.outbox.queueDepth(issuer, endpoint.id), (depth): EndpointOverview => {
      const { id, kinds, status } = endpoint
      const host = endpointHost(endpoint)
      const health = depth.retrying > 0 ? "failing" : "healthy"
      return { id, ...(host !== undefined && { host }), kinds, status, isOwn: isOwn(endpoint), health, ...depth }
    }),
  )
})

export const setStatusForAll = Effect.fnUntraced(function* (
  { endpoints, signal }: EndpointPorts,
  endpointId: string,
  status: Endpoint["status"],
) {
  if ((yield* endpoints.find(endpointId)) === undefined) return yield* new EndpointNotFound({ endpointId })
  yield* endpoints.setStatus(endpointId, status)
  if (status === "enabled") yield* signal.notifyAll
})

export const setStatus = Effect.fnUntraced(function* (
  ports: EndpointPorts,
  issuer: Cnpj,
  endpointId: string,
  status: Endpoint["status"],
) {
  const endpoint = yield* findSubscribed(ports, issuer, endpointId)
  if (!(yield* loadIsOwn(ports, issuer))(endpoint)) return yield* new EndpointNotFound({ endpointId })
  return yield* setStatusForAll(ports, endpointId, status)
})
