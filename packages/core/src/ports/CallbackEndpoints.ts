import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { EventKind } from "../charge/PixEvent.ts"
import type { DirectoryUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/** Where events go: over HTTP to a reseller, or into a function of the embedding host. */
export type EndpointTarget =
  | {
      readonly _tag: "Http"
      readonly url: string
      /** As `parseCallbackSecret` reads them; the first signs, the others sign too while receivers change over. At least one. */
      readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
    }
  | { readonly _tag: "Host" }

/** Somebody who is told of events. */
export interface Endpoint {
  readonly id: string
  readonly target: EndpointTarget
  readonly kinds: ReadonlyArray<EventKind>
  /** `paused` by a person, `disabled` by the receiver's 410; events wait either way. */
  readonly status: "enabled" | "paused" | "disabled"
}

/** The endpoints of companies and resellers. Answers may be up to 5 s old, like the directory's. */
export class CallbackEndpoints extends Context.Service<
  CallbackEndpoints,
  {
    /** The endpoints that are told of this company's charges, whatever their status. */
    readonly of: (issuer: Cnpj) => Effect.Effect<ReadonlyArray<Endpoint>, DirectoryUnavailable>
    readonly find: (endpointId: string) => Effect.Effect<Endpoint | undefined, DirectoryUnavailable>
    readonly setStatus: (endpointId: string, status: Endpoint["status"]) => Effect.Effect<void, DirectoryUnavailable>
  }
>()("@pixcharge/core/ports/CallbackEndpoints") {}
