import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Endpoint } from "../directory/Endpoint.ts"
import type { DirectoryUnavailable } from "../directory/directoryErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"

/**
 * The endpoints of companies and resellers. Answers may be up to 5 s old, like the directory's; every method fails with
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
