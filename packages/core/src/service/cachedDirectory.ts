import * as Effect from "effect/Effect"
import { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import { makeCache } from "../cache/Cache.ts"

export interface DirectoryCacheOptions {
  /** How old an answer may be: 0 to 60 000 ms, 5 000 unless told (decision 4). */
  readonly maxAgeMs?: number
  /** How many companies are remembered at most; 10 000 unless told. */
  readonly maxCount?: number
}

/** Registrations and endpoints with a memory of at most a few seconds. */
export interface CachedDirectory {
  readonly directory: CompanyDirectory["Service"]
  readonly endpoints: CallbackEndpoints["Service"]
  /** To be called after a change made in this process, which then takes effect at once. */
  readonly invalidate: () => void
}

const defaults = { maxAgeMs: 5_000, maxCount: 10_000 }
const longestAgeMs = 60_000

/**
 * Puts a short memory before registrations and endpoints, so that issuing reads no extra row. A change made elsewhere is
 * seen within `maxAgeMs`; when they can't be read, an answer is used to its age and no longer.
 */
export const cachedDirectory = (
  directory: CompanyDirectory["Service"],
  endpoints: CallbackEndpoints["Service"],
  options: DirectoryCacheOptions = {},
): CachedDirectory => {
  const bounds = { ...defaults, ...options }
  if (!(bounds.maxAgeMs >= 0 && bounds.maxAgeMs <= longestAgeMs)) {
    throw new RangeError(`answers may be 0 to ${longestAgeMs} ms old, not ${bounds.maxAgeMs}`)
  }
  const companies = makeCache({ ...bounds, load: directory.find })
  const byPixKey = makeCache({ ...bounds, load: directory.byPixKey })
  const ofIssuer = makeCache({ ...bounds, load: endpoints.of })
  const byId = makeCache({ ...bounds, load: endpoints.find })
  const caches = [companies, byPixKey, ofIssuer, byId]
  const invalidate = (): void => {
    for (const cache of caches) cache.clear()
  }
  return {
    invalidate,
    directory: CompanyDirectory.of({ find: companies.get, byPixKey: byPixKey.get }),
    endpoints: CallbackEndpoints.of({
      of: ofIssuer.get,
      find: byId.get,
      setStatus: (endpointId, status) =>
        // Whether it was written or not is unknown after a failure: what is remembered goes either way.
        Effect.ensuring(endpoints.setStatus(endpointId, status), Effect.sync(invalidate)),
    }),
  }
}
