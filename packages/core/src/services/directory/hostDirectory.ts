import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { normalizePixKey, pixKeyViolation } from "../../model/brcode/PixKey.ts"
import { Cache } from "../../runtime/cache.ts"
import { type Endpoint, type HostEndpoint, parseEndpoint } from "../../model/directory/Endpoint.ts"
import { type KeyRing, keyRingFlaw, makeKeyCheck } from "../../model/directory/KeyRing.ts"
import { type HostCompany, parseHostCompany } from "../../model/directory/HostCompany.ts"
import { callHost } from "../../runtime/callHost.ts"
import { hideCause } from "../../runtime/CausedError.ts"
import { DirectoryUnavailable } from "../../model/directory/directoryErrors.ts"
import { checkOptions, hasMethods, InvalidOption, type OptionRules } from "../../runtime/options.ts"
import { aList, aNumber, anObject, required } from "../../runtime/OptionRule.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import { currentActor } from "../../ports/AuditLog.ts"
import { CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import { CompanyDirectory } from "../../ports/CompanyDirectory.ts"

type Found<A, R> = Promise<A | null | undefined> | Effect.Effect<A | null | undefined, unknown, R>
type HostValue<A, R> = Promise<A> | Effect.Effect<A, unknown, R>

/** Bounds of the cache of the host's answers. */
export interface DirectoryCacheOptions {
  /** Maximum age of an answer: 0 to 60 000 ms, by default 5 000 (decision 4). */
  readonly maxAgeMs?: number
  /** Maximum number of cached companies; by default 10 000. */
  readonly maxCount?: number
}

/**
 * Reads registrations from the host's own tables, by promises or by Effects that need `R`. A rejection, a failure or no answer within
 * 15 s means that they can't be read now.
 */
export interface HostDirectoryOptions<R = never> extends DirectoryCacheOptions {
  /** Read the host's companies: `find` by CNPJ, `byPixKey` by the receiving key. Both return null or undefined if unknown. */
  readonly companies: {
    /** `cnpj`: 14 characters, without punctuation. */
    readonly find: (cnpj: string) => Found<HostCompany, R>
    /** `pixKey`: in the form of `normalizePixKey`. */
    readonly byPixKey: (pixKey: string) => Found<HostCompany, R>
  }
  /** Secrets that key the digests of integrator keys in the tables (`KeyDigest`). Plain keys don't need it. */
  readonly pepper?: KeyRing
  /** Read the host's endpoints, and set their status. Absent if no events are sent over HTTP. */
  readonly endpoints?: {
    /** The endpoints that get the company's events. */
    readonly forCompany: (cnpj: string) => HostValue<ReadonlyArray<HostEndpoint>, R>
    readonly find: (endpointId: string) => Found<HostEndpoint, R>
    /** `by` is the actor, if the host named one (`pix.by`). */
    readonly setStatus: (endpointId: string, status: Endpoint["status"], by?: string) => HostValue<void, R>
  }
}

/** A Layer that reads the host's directory, and drops its cached answers on request. */
export interface HostDirectory<R = never> extends Layer.Layer<CompanyDirectory | CallbackEndpoints, never, R> {
  /** Call it after changing the host's tables: this process then reads them again. */
  readonly invalidate: () => void
}

const limitMs = 15_000

/** A registration that breaks a rule counts as unreadable. */
const askHost = <A, B>(
  operation: string,
  answer: Effect.Effect<A, unknown>,
  parse: (answer: A) => Result.Result<B, unknown>,
): Effect.Effect<B, DirectoryUnavailable> =>
  answer.pipe(
    Effect.timeoutOrElse({ duration: limitMs, orElse: () => Effect.fail(new Error("no answer within 15 s")) }),
    Effect.flatMap((found) => Effect.fromResult(parse(found))),
    Effect.mapError((cause) => new DirectoryUnavailable({ operation, cause: hideCause(cause) })),
  )

const ifFound =
  <A, B, E>(parse: (found: A) => Result.Result<B, E>) =>
  (found: A | null | undefined): Result.Result<B | undefined, E> =>
    Predicate.isNullish(found) ? Result.succeed(undefined) : parse(found)

const noEndpoints: NonNullable<HostDirectoryOptions["endpoints"]> = {
  forCompany: () => Promise.resolve([]),
  find: () => Promise.resolve(undefined),
  setStatus: () => Promise.resolve(),
}

const defaults = { maxAgeMs: 5_000, maxCount: 10_000 }
const ageLimitMs = 60_000

const rules: OptionRules<HostDirectoryOptions> = {
  companies: required({
    mustBe: "an object with the functions find and byPixKey",
    holds: (value) => hasMethods(value, "find", "byPixKey"),
  }),
  endpoints: {
    mustBe: "an object with the functions forCompany, find and setStatus",
    holds: (value) => hasMethods(value, "forCompany", "find", "setStatus"),
  },
  pepper: aList("keys, as { kid, secret }", anObject.holds),
  maxAgeMs: aNumber(0, ageLimitMs),
  maxCount: aNumber(1),
}

type HostQuery<R> = <A, B>(
  operation: string,
  call: () => HostValue<A, R>,
  parse: (answer: A) => Result.Result<B, unknown>,
) => Effect.Effect<B, DirectoryUnavailable>

const makeCaches = <R>(
  { companies, endpoints }: Required<Pick<HostDirectoryOptions<R>, "companies" | "endpoints">>,
  ask: HostQuery<R>,
  bounds: Required<DirectoryCacheOptions>,
) => ({
  company: new Cache({
    ...bounds,
    load: (cnpj: Cnpj) => ask("find", () => companies.find(cnpj), ifFound(parseHostCompany)),
  }),
  byPixKey: new Cache({
    ...bounds,
    load: (pixKey: string) => ask("byPixKey", () => companies.byPixKey(pixKey), ifFound(parseHostCompany)),
  }),
  forCompany: new Cache({
    ...bounds,
    load: (issuer: Cnpj) =>
      ask(
        "endpointsForCompany",
        () => endpoints.forCompany(issuer),
        (found) => Result.all(found.map((endpoint) => parseEndpoint(endpoint, issuer))),
      ),
  }),
  endpoint: new Cache({
    ...bounds,
    load: (id: string) =>
      ask(
        "findEndpoint",
        () => endpoints.find(id),
        ifFound((found) => parseEndpoint(found, id)),
      ),
  }),
})

type SetStatus = (
  ...written: readonly [endpointId: string, status: Endpoint["status"], by: string | undefined]
) => Effect.Effect<void, DirectoryUnavailable>

const makeServices = (
  { company, byPixKey, forCompany, endpoint }: ReturnType<typeof makeCaches>,
  checkKey: ReturnType<typeof makeKeyCheck>,
  setStatus: SetStatus,
) =>
  Context.make(CompanyDirectory, {
    find: company.get,
    // An invalid key costs neither a query nor memory.
    byPixKey: (shown) => {
      const pixKey = normalizePixKey(shown)
      return pixKeyViolation(pixKey) === undefined ? byPixKey.get(pixKey) : Effect.succeed(undefined)
    },
    verifyKey: (cnpj, integratorKey) =>
      Effect.flatMap(company.renew(cnpj), (entry) => {
        if (entry === undefined) company.forget(cnpj, undefined)
        return checkKey(integratorKey, entry?.credential)
      }),
  }).pipe(
    Context.add(CallbackEndpoints, {
      forCompany: forCompany.get,
      find: endpoint.get,
      setStatus: (id, status) => Effect.flatMap(currentActor, (by) => setStatus(id, status, by)),
    }),
  )

/**
 * Reads companies and endpoints through functions of the host. Answers are cached for `maxAgeMs`, so issuing reads no extra row.
 * While the host can't be read, cached answers are used up to that age. Throws `InvalidOption`.
 *
 * @example
 * ```ts
 * import { hostDirectory } from "@pixcharge/core"
 * import type { HostCompany } from "@pixcharge/core/directory"
 *
 * declare const table: (column: "cnpj" | "pixKey", value: string) => Promise<HostCompany | undefined>
 * const directory = hostDirectory({
 *   companies: { find: (cnpj) => table("cnpj", cnpj), byPixKey: (pixKey) => table("pixKey", pixKey) },
 * })
 * ```
 */
export const hostDirectory = <R = never>(given: HostDirectoryOptions<R>): HostDirectory<R> => {
  checkOptions("hostDirectory", given, rules)
  const { companies, endpoints = noEndpoints, pepper, ...options } = given
  const flaw = pepper && keyRingFlaw("pepper", pepper)
  if (flaw !== undefined) throw new InvalidOption({ message: `hostDirectory: ${flaw}.` })
  const caches = new Set<WeakRef<{ readonly clear: () => void }>>()
  const invalidate = (): void => {
    for (const reference of caches) {
      const cache = reference.deref()
      if (cache === undefined) caches.delete(reference)
      else cache.clear()
    }
  }
  const layer = Layer.effectContext(
    Effect.map(Effect.context<R>(), (services) => {
      const ask: HostQuery<R> = (operation, call, parse) => askHost(operation, callHost(call, services), parse)
      const built = makeCaches({ companies, endpoints }, ask, { ...defaults, ...options })
      for (const cache of Object.values(built)) caches.add(new WeakRef(cache))
      return makeServices(built, makeKeyCheck(pepper), (id, status, by) =>
        // The host may have written the status before it failed.
        Effect.ensuring(
          ask("setStatus", () => endpoints.setStatus(id, status, by), Result.succeed),
          Effect.sync(invalidate),
        ),
      )
    }),
  )
  return Object.assign(layer, { invalidate })
}
