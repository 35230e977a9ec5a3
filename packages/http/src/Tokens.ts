import {
  type Cnpj,
  CompanyDirectory,
  type DirectoryUnavailable,
  type Exchange,
  parseCnpj,
  RevokedTokens,
  type StoreUnavailable,
  TaggedError,
} from "@pixcharge/core"
import { makeCache, makeRecentMap } from "@pixcharge/core/internal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { bearerToken } from "./authorization.ts"
import { makeFailureLimits } from "./failureLimits.ts"
import { type Claims, longestValidityMs, makeJwt } from "./Jwt.ts"
import type { Secret } from "./parseSecret.ts"
import { type TokenOptions, tokenOptionsFlaw } from "./TokenOptions.ts"

/**
 * The caller proved no identity. Deliberately without a reason: every failure looks the same (decision 3).
 *
 * @remedy Get a new token with the company's CNPJ and integrator key.
 * @repeat No: with a new token.
 */
export class Unauthenticated extends TaggedError("Unauthenticated") {
  override get message(): string {
    return "The caller proved no identity: get a new token with the company's CNPJ and integrator key."
  }
}

/**
 * The caller, or others at its address, failed too often of late; a right key is never refused for it (decision 44).
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
 * No token of ours has such an id.
 *
 * @remedy Give the `jti` of the token's payload; to end all tokens of a key, replace the key.
 * @repeat No: with another id.
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
 * @repeat No: with corrected options.
 */
export class InvalidTokenOptions extends TaggedError("InvalidTokenOptions")<{ readonly message: string }> {}

/** Real time for the life of tokens: the sandbox's movable clock doesn't age them (decision 4). Epoch milliseconds. */
export const TokenClock = Context.Reference<{ readonly now: () => number }>("@pixcharge/http/TokenClock", {
  defaultValue: () => ({ now: () => Date.now() }),
})

const mostVerified = 10_000
/** A verified token that was not used for this long, or twice as long, is verified anew. */
const verifiedMs = 3_600_000
const revokedMaxAgeMs = 5_000
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Tokens for integrators (docs/interface.md, Authentication; decisions 1 to 4 and 26).
 *
 * A verified token is not verified again while it lives; whether its credential is still valid is asked of the directory
 * each time, so that a revoked key or an ended association ends its tokens.
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** A JWT for a company's secret; undefined is a secret that can't be read. */
    readonly issue: (
      secret: Secret | undefined,
      exchange: Exchange,
    ) => Effect.Effect<string, Unauthenticated | TooManyFailures | DirectoryUnavailable>
    /** Whether a secret may come in a path. */
    readonly takesPath: boolean
    /** The company behind an `Authorization` header. */
    readonly authenticate: (
      authorization: string | undefined,
    ) => Effect.Effect<Cnpj, Unauthenticated | DirectoryUnavailable | StoreUnavailable>
    /** Ends one token by its id (`jti`): at once in this process, within 5 s in others (decision 46). */
    readonly revoke: (id: string) => Effect.Effect<void, InvalidTokenId | StoreUnavailable>
  }
>()("@pixcharge/http/Tokens") {
  static readonly layer = (options: TokenOptions) =>
    Layer.effect(
      Tokens,
      Effect.suspend(() => make(options)),
    )
}

const make = Effect.fnUntraced(function* (options: TokenOptions) {
  const flaw = tokenOptionsFlaw(options)
  if (flaw !== undefined)
    return yield* new InvalidTokenOptions({ message: `The tokens' options can't be used: ${flaw}.` })
  const directory = yield* CompanyDirectory
  const store = yield* RevokedTokens
  const clock = yield* TokenClock
  const jwt = makeJwt(options)
  const { limits } = options
  // Stryker disable next-line ArrowFunction: to wait for undefined is to wait for 0 ms
  const countFailure = limits === false ? () => 0 : makeFailureLimits()
  const verified = makeRecentMap<string, Claims>(mostVerified)

  const revoked = makeCache({
    load: (_: "all") =>
      Effect.map(
        Effect.suspend(() => store.list(clock.now())),
        (ids) => new Set(ids),
      ),
    maxAgeMs: revokedMaxAgeMs,
    maxCount: 2,
  })

  const refuse = (exchange: Exchange, cnpj = "") =>
    Effect.clockWith((steady) => {
      const address = limits ? limits.address(exchange) : exchange.address
      const nowMs = Number(steady.monotonicTimeNanosUnsafe()) / 1_000_000
      const retryAfterMs = countFailure(address ?? "", cnpj, nowMs)
      return Effect.fail(retryAfterMs > 0 ? new TooManyFailures({ retryAfterMs }) : new Unauthenticated())
    })

  const issue = Effect.fnUntraced(function* (secret: Secret | undefined, exchange: Exchange) {
    const cnpj = Result.getOrUndefined(parseCnpj(secret?.cnpj ?? ""))
    if (secret === undefined || cnpj === undefined) return yield* refuse(exchange, cnpj)
    const credential = yield* directory.verifyKey(cnpj, secret.key)
    if (credential === undefined) return yield* refuse(exchange, cnpj)
    return yield* Effect.promise(() => jwt.sign(cnpj, credential, clock.now()))
  })

  /** What a token says, if it is one of ours; it is remembered. */
  const verify = (token: string) =>
    Effect.tryPromise({ try: () => jwt.verify(token, clock.now()), catch: () => new Unauthenticated() }).pipe(
      Effect.tap((claims) => Effect.sync(() => verified.set(token, claims))),
    )

  const unauthenticated = Effect.suspend(() => new Unauthenticated())

  const ownerOf = (token: string, { cnpj, id, isOf, expiresAt }: Claims) => {
    if (clock.now() >= expiresAt) return forgotten(token)
    return Effect.flatMap(directory.find(cnpj), (entry) =>
      entry?.credential === undefined || !isOf(entry.credential)
        ? forgotten(token)
        : Effect.flatMap(revoked.get("all"), (ids) => (ids.has(id) ? unauthenticated : Effect.succeed(cnpj))),
    )
  }

  const forgotten = (token: string) => {
    verified.delete(token)
    return unauthenticated
  }

  // No generator: this is done for every request.
  const authenticate = (authorization: string | undefined) =>
    Effect.suspend(() => {
      verified.sweepEach(verifiedMs, clock.now())
      const token = bearerToken(authorization)
      if (token === undefined) return unauthenticated
      const known = verified.get(token)
      return known === undefined
        ? Effect.flatMap(verify(token), (claims) => ownerOf(token, claims))
        : ownerOf(token, known)
    })

  const revoke = Effect.fnUntraced(function* (id: string) {
    if (typeof id !== "string" || !idForm.test(id)) return yield* new InvalidTokenId()
    const now = clock.now()
    yield* Effect.ensuring(store.revoke({ id, until: now + longestValidityMs, now }), Effect.sync(revoked.clear))
  })

  return Tokens.of({ issue, takesPath: options.path ?? true, authenticate, revoke })
})
