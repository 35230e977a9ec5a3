import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { DirectoryUnavailable } from "../errors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import { type Endpoint, type HostEndpoint, parseEndpoint } from "../directory/Endpoint.ts"
import { type HostCompany, parseHostCompany } from "../directory/HostCompany.ts"
import { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import { CompanyDirectory } from "../ports/CompanyDirectory.ts"
import { cachedDirectory, type DirectoryCacheOptions } from "./cachedDirectory.ts"

type Found<A> = Promise<A | null | undefined>

/** How registrations are read from the host's own tables. A rejection means that they can't be read now. */
export interface HostDirectoryOptions extends DirectoryCacheOptions {
  readonly companies: {
    /** By CNPJ, 14 characters without a mask. */
    readonly find: (cnpj: string) => Found<HostCompany>
    /** By the key under which it receives. */
    readonly byPixKey: (pixKey: string) => Found<HostCompany>
  }
  /** Absent when events go nowhere over HTTP. */
  readonly endpoints?: {
    /** Those that get the events of the company's charges. */
    readonly forCompany: (cnpj: string) => Promise<ReadonlyArray<HostEndpoint>>
    readonly find: (endpointId: string) => Found<HostEndpoint>
    readonly setStatus: (endpointId: string, status: Endpoint["status"]) => Promise<void>
  }
}

/** The Layer that a host passes on, and a handle on its memory. */
export interface HostDirectory extends Layer.Layer<CompanyDirectory | CallbackEndpoints> {
  /** To be called after the host has changed its tables, so that the change takes effect at once in this process. */
  readonly invalidate: () => void
}

/** What the host answered, read by our rules; a registration that breaks them is as good as unreadable, and says why. */
const asked = <A, B>(
  operation: string,
  ask: () => Promise<A>,
  parse: (answer: A) => Result.Result<B, unknown>,
): Effect.Effect<B, DirectoryUnavailable> =>
  Effect.tryPromise({ try: ask, catch: (cause) => cause }).pipe(
    Effect.flatMap((answer) => Effect.fromResult(parse(answer))),
    Effect.mapError((cause) => new DirectoryUnavailable({ operation, cause })),
  )

const ifFound =
  <A, B, E>(parse: (found: A) => Result.Result<B, E>) =>
  (found: A | null | undefined): Result.Result<B | undefined, E> =>
    found === null || found === undefined ? Result.succeed(undefined) : parse(found)

const nowhere: NonNullable<HostDirectoryOptions["endpoints"]> = {
  forCompany: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
  setStatus: () => Promise.resolve(),
}

/**
 * Reads companies and endpoints through functions of the host, each answer remembered for at most `maxAgeMs`. Throws a
 * RangeError for an age outside 0 to 60 000.
 */
export const hostDirectory = ({ companies, endpoints = nowhere, ...bounds }: HostDirectoryOptions): HostDirectory => {
  const cached = cachedDirectory(
    CompanyDirectory.of({
      find: (cnpj) => asked("find", () => companies.find(cnpj), ifFound(parseHostCompany)),
      byPixKey: (pixKey) => asked("byPixKey", () => companies.byPixKey(pixKey), ifFound(parseHostCompany)),
    }),
    CallbackEndpoints.of({
      forCompany: (issuer: Cnpj) =>
        asked(
          "endpointsForCompany",
          () => endpoints.forCompany(issuer),
          (found) => Result.all(found.map((endpoint) => parseEndpoint(endpoint, issuer))),
        ),
      find: (endpointId) =>
        asked(
          "findEndpoint",
          () => endpoints.find(endpointId),
          ifFound((endpoint) => parseEndpoint(endpoint, endpointId)),
        ),
      setStatus: (endpointId, status) =>
        asked("setStatus", () => endpoints.setStatus(endpointId, status), Result.succeed),
    }),
    bounds,
  )
  const layer = Layer.succeedContext(
    Context.make(CompanyDirectory, cached.directory).pipe(Context.add(CallbackEndpoints, cached.endpoints)),
  )
  return Object.assign(layer, { invalidate: cached.invalidate })
}
