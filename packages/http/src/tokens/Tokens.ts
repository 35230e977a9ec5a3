import {
  CompanyDirectory,
  type DirectoryUnavailable,
  type Exchange,
  RevokedTokens,
  type StoreUnavailable,
} from "@pixcharge/core"
import { type Cnpj, parseCnpj } from "@pixcharge/core/party"
import { Cache, makeRecentMap, monotonicMs, TaggedError } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { bearerToken, type Secret } from "./authorization.ts"
import { type CountFailure, makeFailureLimits } from "./failureLimits.ts"
import { type Claims, Jwt, maxValidityMs } from "./Jwt.ts"
import { type TokenOptions, tokenOptionsFlaw } from "./TokenOptions.ts"

/**
 * The caller proved no identity. The error gives no reason, because every failure must look the same (decision 3).
 *
 * @remedy Get a new token with the company's CNPJ and integrator key.
 * @repeat No, only with a new token.
 */
export class Unauthenticated extends TaggedError("Unauthenticated") {
  override get message(): string {
    return "The caller proved no identity: get a new token with the company's CNPJ and integrator key."
  }
}

/**
 * Too many token requests of this caller, or of others at its address, failed lately. A right key is never refused for this
 * reason (decision 44).
 *
 * @remedy Wait for `retryAfterMs`, and use the right key.
 * @repeat Yes, after `retryAfterMs`.
 */
export class TooManyFailures extends TaggedError("TooManyFailures")<{ readonly retryAfterMs: number }> {
  override get message(): string {
    return `Too many token requests of this caller failed: wait for ${this.retryAfterMs} ms, and use the right key.`
  }
}

/**
 * The text isn't the id of a token.
 *
 * @remedy Give the `jti` of the token's payload; to end all tokens of a key, replace the key.
 * @repeat No, only with another id.
 */
export class InvalidTokenId extends TaggedError("InvalidTokenId") {
  override get message(): string {
    return "The id of a token must be a UUID in lower case: give the `jti` of its payload."
  }
}

/**
 * The options can't make safe tokens.
 *
 * @remedy Correct the option that the message names.
 * @repeat No, only with corrected options.
 */
export class InvalidTokenOptions extends TaggedError("InvalidTokenOptions")<{ readonly message: string }> {}

/** Real time in epoch milliseconds: moving the sandbox's clock doesn't age tokens (decision 4). */
export const TokenClock = Context.Reference<{ readonly now: () => number }>("@pixcharge/http/TokenClock", {
  defaultValue: () => ({ now: () => Date.now() }),
})

const maxVerified = 10_000
/** After this time without use, at most twice as long, a token is forgotten and verified again. */
const verifiedMs = 3_600_000
const revokedMaxAgeMs = 5_000
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Tokens for integrators (docs/interface.md, Authentication; decisions 1 to 4 and 26).
 *
 * Each request asks the directory whether the token's credential is still valid, so a revoked key or an ended association ends
 * its tokens.
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** A JWT for a company's secret; `undefined` means an unreadable secret. */
    readonly issue: (
      secret: Secret | undefined,
      exchange: Exchange,
    ) => Effect.Effect<string, Unauthenticated | TooManyFailures | DirectoryUnavailable>
    /** Whether a path can contain the secret. */
    readonly takesPath: boolean
    /** The company behind an `Authorization` header. */
    readonly authenticate: (
      authorization: string | undefined,
    ) => Effect.Effect<Cnpj, Unauthenticated | DirectoryUnavailable | StoreUnavailable>
    /** Ends one token by its id (`jti`): immediately in this process, within 5 s in others (decision 46). */
    readonly revoke: (id: string) => Effect.Effect<void, InvalidTokenId | StoreUnavailable>
  }
>()("@pixcharge/http/Tokens") {
  /** For hosts without keys. No caller can authenticate. */
  static readonly none = Layer.sync(Tokens, () => ({
    issue: () =>
      Effect.andThen(
        Effect.logWarning(
          "An integrator requested a token, but createPix has no option tokens, so no caller can authenticate",
        ),
        unauthenticated,
      ),
    takesPath: true,
    authenticate: () => unauthenticated,
    revoke: (id: string) => (idForm.test(id) ? Effect.void : new InvalidTokenId()),
  }))
  static readonly layer = (options: TokenOptions) => Layer.effect(Tokens, make(options))
}

type Port = Tokens["Service"]

const make = Effect.fnUntraced(function* (options: TokenOptions) {
  const flaw = tokenOptionsFlaw(options)
  if (flaw !== undefined)
    return yield* new InvalidTokenOptions({ message: `The tokens' options can't be used: ${flaw}.` })
  return new JwtTokens(options, yield* CompanyDirectory, yield* RevokedTokens, yield* TokenClock)
})

const unauthenticated = Effect.suspend(() => new Unauthenticated())

class JwtTokens implements Port {
  readonly takesPath: boolean
  readonly #directory: CompanyDirectory["Service"]
  readonly #store: RevokedTokens["Service"]
  readonly #now: () => number
  readonly #jwt: Jwt
  readonly #limits: TokenOptions["limits"]
  readonly #countFailure: CountFailure
  readonly #revoked: Cache<"all", Set<string>, StoreUnavailable>
  readonly #verified = makeRecentMap<string, Claims>(maxVerified)

  constructor(
    options: TokenOptions,
    directory: CompanyDirectory["Service"],
    store: RevokedTokens["Service"],
    { now }: { readonly now: () => number },
  ) {
    this.takesPath = options.path ?? true
    this.#directory = directory
    this.#store = store
    this.#now = now
    this.#jwt = new Jwt(options)
    this.#limits = options.limits
    // Stryker disable next-line ArrowFunction: to wait for undefined is to wait for 0 ms
    this.#countFailure = options.limits === false ? () => 0 : makeFailureLimits()
    this.#revoked = new Cache({
      load: () =>
        Effect.map(
          Effect.suspend(() => store.list(now())),
          (ids) => new Set(ids),
        ),
      maxAgeMs: revokedMaxAgeMs,
      maxCount: 2,
    })
  }

  readonly issue: Port["issue"] = (secret, exchange) => {
    const cnpj = Result.getOrUndefined(parseCnpj(secret?.cnpj ?? ""))
    if (secret === undefined || cnpj === undefined) return this.#refuse(exchange, cnpj)
    return Effect.flatMap(this.#directory.verifyKey(cnpj, secret.key), (credential) =>
      credential === undefined
        ? this.#refuse(exchange, cnpj)
        : Effect.promise(() => this.#jwt.sign(cnpj, credential, this.#now())),
    )
  }

  // Written without a generator, because every request runs it.
  readonly authenticate: Port["authenticate"] = (authorization) =>
    Effect.suspend(() => {
      this.#verified.sweepEach(verifiedMs, this.#now())
      const token = bearerToken(authorization)
      if (token === undefined) return unauthenticated
      const known = this.#verified.get(token)
      return known === undefined
        ? Effect.flatMap(this.#verify(token), (claims) => this.#findOwner(token, claims))
        : this.#findOwner(token, known)
    })

  readonly revoke: Port["revoke"] = (id) =>
    Effect.suspend((): ReturnType<Port["revoke"]> => {
      if (typeof id !== "string" || !idForm.test(id)) return new InvalidTokenId()
      const now = this.#now()
      return Effect.ensuring(
        this.#store.revoke({ id, until: now + maxValidityMs, now }),
        Effect.sync(() => this.#revoked.clear()),
      )
    })

  #refuse(exchange: Exchange, cnpj = ""): Effect.Effect<never, Unauthenticated | TooManyFailures> {
    return Effect.flatMap(monotonicMs, (nowMs) => {
      const address = this.#limits ? this.#limits.address(exchange) : exchange.address
      const retryAfterMs = this.#countFailure(address ?? "", cnpj, nowMs)
      return Effect.fail(retryAfterMs > 0 ? new TooManyFailures({ retryAfterMs }) : new Unauthenticated())
    })
  }

  #verify(token: string): Effect.Effect<Claims, Unauthenticated> {
    return Effect.tryPromise({
      try: () => this.#jwt.verify(token, this.#now()),
      catch: () => new Unauthenticated(),
    }).pipe(Effect.tap((claims) => Effect.sync(() => this.#verified.set(token, claims))))
  }

  #findOwner(token: string, { cnpj, id, isMadeWith, expiresAt }: Claims): ReturnType<Port["authenticate"]> {
    if (this.#now() >= expiresAt) return this.#forget(token)
    return Effect.flatMap(this.#directory.find(cnpj), (entry) =>
      entry?.credential === undefined || !isMadeWith(entry.credential)
        ? this.#forget(token)
        : Effect.flatMap(this.#revoked.get("all"), (ids) => (ids.has(id) ? unauthenticated : Effect.succeed(cnpj))),
    )
  }

  #forget(token: string): Effect.Effect<never, Unauthenticated> {
    this.#verified.delete(token)
    return unauthenticated
  }
}
