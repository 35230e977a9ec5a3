import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { PixEvent } from "../model/charge/PixEvent.ts"
import type { Endpoint } from "../model/directory/Endpoint.ts"
import type { DirectoryUnavailable } from "../model/directory/directoryErrors.ts"
import type { Cnpj } from "../model/party/Cnpj.ts"

/** Facts of one attempt. */
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
 * Makes one attempt to deliver one event to one endpoint. Provided by `callback-fetch`, and by `hostDelivery` for a function of
 * the host. Never fails: errors are outcomes.
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
 * Endpoints of companies and resellers. Comes with the directory. Answers can be up to 5 s old; without a recent answer, every
 * method fails with `DirectoryUnavailable`.
 */
export class CallbackEndpoints extends Context.Service<
  CallbackEndpoints,
  {
    /** Endpoints in any status. */
    readonly forCompany: (issuer: Cnpj) => Effect.Effect<ReadonlyArray<Endpoint>, DirectoryUnavailable>
    readonly find: (endpointId: string) => Effect.Effect<Endpoint | undefined, DirectoryUnavailable>
    /** Ignores an unknown endpoint. The audit log records the change, like `DirectoryAdmin`'s. */
    readonly setStatus: (endpointId: string, status: Endpoint["status"]) => Effect.Effect<void, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CallbackEndpoints") {}
