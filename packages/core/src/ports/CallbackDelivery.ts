import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PixEvent } from "../model/charge/PixEvent.ts"
import type { Endpoint } from "../model/directory/Endpoint.ts"
import type { DirectoryUnavailable } from "../model/directory/directoryErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"

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

/**
 * Delivers one event to one endpoint, once. The dispatcher uses it; `callback-fetch` provides it, and `hostDelivery` for a function of
 * the host. Never fails: what goes wrong is an outcome.
 */
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

/**
 * The endpoints of companies and resellers. Comes with the directory; what publishes events asks it which rows to write, and the
 * dispatcher where to send. Answers may be up to 5 s old, like the directory's; every method fails with
 * `DirectoryUnavailable` if it has no answer as recent as that.
 */
export class CallbackEndpoints extends Context.Service<
  CallbackEndpoints,
  {
    /** The endpoints that get the events of this company's charges, in any status. */
    readonly forCompany: (issuer: Cnpj) => Effect.Effect<ReadonlyArray<Endpoint>, DirectoryUnavailable>
    readonly find: (endpointId: string) => Effect.Effect<Endpoint | undefined, DirectoryUnavailable>
    /** Does nothing where there is no such endpoint. A change is recorded like those of `DirectoryAdmin`. */
    readonly setStatus: (endpointId: string, status: Endpoint["status"]) => Effect.Effect<void, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CallbackEndpoints") {}
