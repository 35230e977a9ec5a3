import { type Cnpj, CompanyDirectory, type Credential, type DirectoryUnavailable, parseCnpj } from "@pixcharge/core"
import { makeRecentMap } from "@pixcharge/core/cache"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { jwtVerify, SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import { makeKeyCheck } from "./keyCheck.ts"
import { parseSecret } from "./parseSecret.ts"

/** One signing secret of the ring. */
export interface TokenKey {
  /** Names the key in the header of each token (`kid`). */
  readonly kid: string
  /** At least 32 bytes of UTF-8. */
  readonly secret: string
}

/** How tokens are made and checked. */
export interface TokenOptions {
  /** The first signs; all verify, so that a key is rotated by putting a new one in front. At least one. */
  readonly keys: readonly [TokenKey, ...ReadonlyArray<TokenKey>]
  /** A token of one environment is worth nothing in the other. */
  readonly environment: "sandbox" | "production"
  /** 5 minutes to 72 hours; default: 48 hours (decision 4). */
  readonly lifetimeMs?: number
  /** Keys the digests of integrator keys that a database holds (`CredentialKey` `Digest`). */
  readonly pepper?: string
}

/** The caller proved no identity. Deliberately without a reason: every failure looks the same (decision 3). */
export class Unauthenticated extends Data.TaggedError("Unauthenticated") {}

/** The options can't make safe tokens. */
export class InvalidTokenOptions extends Data.TaggedError("InvalidTokenOptions")<{ readonly message: string }> {}

/** Real time for the life of tokens: the sandbox's movable clock doesn't age them (decision 4). Epoch milliseconds. */
export const TokenClock = Context.Reference<{ readonly now: () => number }>("@pixcharge/http/TokenClock", {
  defaultValue: () => ({ now: () => Date.now() }),
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const defaultLifetimeMs = 48 * hourMs
const shortestLifetimeMs = 5 * minuteMs
const longestLifetimeMs = 72 * hourMs
/** Two hosts' clocks may differ by this much (decision 4). */
const clockToleranceSeconds = 60
const mostVerified = 10_000
/** A verified token that was not used for this long, or twice as long, is verified anew. */
const verifiedMs = hourMs
const longestToken = 2_048
const tokenIssuer = "pixcharge"
const noPepper =
  "the directory keeps integrator keys as digests, but the tokens were given no pepper to check them with"

const checkOptions = ({ keys, lifetimeMs = defaultLifetimeMs }: TokenOptions): string | undefined => {
  if (keys.length === 0) return "tokens need at least one key"
  if (new Set(keys.map(({ kid }) => kid)).size !== keys.length) return "two token keys share a kid"
  if (keys.some(({ kid }) => kid === "")) return "a token key has an empty kid"
  const short = keys.find(({ secret }) => new TextEncoder().encode(secret).length < 32)
  if (short !== undefined) return `the secret of token key "${short.kid}" is shorter than 32 bytes`
  if (!(lifetimeMs >= shortestLifetimeMs && lifetimeMs <= longestLifetimeMs)) {
    return "the lifetime of tokens must lie between 5 minutes and 72 hours"
  }
  return undefined
}

/** Whose key, and which of that holder's keys, a token was made with. */
const credentialMark = ({ holder, version }: Credential): string => `${holder}:${version}`

interface Verified {
  readonly cnpj: Cnpj
  readonly mark: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/**
 * Tokens for integrators (docs/interface.md, Authentication; decisions 1 to 4 and 26).
 *
 * A verified token is not verified again while it lives; whether its credential is still valid is asked of the directory
 * each time, so that a revoked key or an ended association ends its tokens.
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** A JWT for the secret in the token route's path. */
    readonly issue: (secretPath: string) => Effect.Effect<string, Unauthenticated | DirectoryUnavailable>
    /** The company behind an `Authorization` header. */
    readonly authenticate: (
      authorization: string | undefined,
    ) => Effect.Effect<Cnpj, Unauthenticated | DirectoryUnavailable>
  }
>()("@pixcharge/http/Tokens") {
  static readonly layer = (options: TokenOptions) =>
    Layer.effect(
      Tokens,
      Effect.suspend(() => make(options)),
    )
}

const make = Effect.fnUntraced(function* (options: TokenOptions) {
  const mistake = checkOptions(options)
  if (mistake !== undefined) return yield* new InvalidTokenOptions({ message: mistake })
  const { environment, lifetimeMs = defaultLifetimeMs, pepper } = options
  const directory = yield* CompanyDirectory
  const clock = yield* TokenClock
  const audience = `pixcharge:${environment}`
  const ring = new Map(options.keys.map(({ kid, secret }) => [kid, new TextEncoder().encode(secret)]))
  const signing = options.keys[0]
  const signingSecret = new TextEncoder().encode(signing.secret)
  const isRightKey = makeKeyCheck(pepper)
  const verified = makeRecentMap<string, Verified>(mostVerified)

  const sign = (cnpj: Cnpj, credential: Credential) => {
    const issuedAt = Math.floor(clock.now() / 1_000)
    return new SignJWT({ env: environment, cred: credentialMark(credential) })
      .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: signing.kid })
      .setIssuer(tokenIssuer)
      .setAudience(audience)
      .setSubject(cnpj)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + Math.floor(lifetimeMs / 1_000))
      .setJti(randomUUID())
      .sign(signingSecret)
  }

  const issue = Effect.fnUntraced(function* (secretPath: string) {
    const secret = parseSecret(secretPath)
    const cnpj = Result.getOrUndefined(parseCnpj(secret?.cnpj ?? ""))
    const entry = cnpj === undefined ? undefined : yield* directory.find(cnpj)
    // A host's mistake must not look like a caller's.
    if (entry?.credential?.key._tag === "Digest" && pepper === undefined) return yield* Effect.die(new Error(noPepper))
    // The same work whoever asks: an unknown company costs a comparison too.
    const right = isRightKey(secret?.key ?? "", entry?.credential?.key)
    if (cnpj === undefined || entry?.credential === undefined || !right) return yield* new Unauthenticated()
    const { credential } = entry
    return yield* Effect.promise(() => sign(cnpj, credential))
  })

  /** What a token says, if it is one of ours; it is remembered. */
  const verify = (token: string): Promise<Verified> =>
    jwtVerify(
      token,
      ({ kid }) => {
        const secret = kid === undefined ? undefined : ring.get(kid)
        if (secret === undefined) throw new Unauthenticated()
        return secret
      },
      {
        algorithms: ["HS256"],
        typ: "JWT",
        issuer: tokenIssuer,
        audience,
        requiredClaims: ["sub", "iat", "nbf", "exp", "jti", "env", "cred"],
        clockTolerance: clockToleranceSeconds,
        // Refuses, with the tolerance, a token that claims to come from the future.
        maxTokenAge: longestLifetimeMs / 1_000,
        currentDate: new Date(clock.now()),
      },
    ).then(({ payload }) => {
      const { sub, cred, env, exp } = payload
      if (env !== environment || typeof sub !== "string" || typeof cred !== "string" || exp === undefined) {
        throw new Unauthenticated()
      }
      const entry = { cnpj: sub as Cnpj, mark: cred, expiresAt: (exp + clockToleranceSeconds) * 1_000 }
      verified.set(token, entry)
      return entry
    })

  const authenticate = Effect.fnUntraced(function* (authorization: string | undefined) {
    verified.sweepEach(verifiedMs, clock.now())
    const token = bearerToken(authorization)
    if (token === undefined) return yield* new Unauthenticated()
    const known = verified.get(token)
    if (known !== undefined && clock.now() >= known.expiresAt) {
      verified.delete(token)
      return yield* new Unauthenticated()
    }
    const { cnpj, mark } =
      known ?? (yield* Effect.tryPromise({ try: () => verify(token), catch: () => new Unauthenticated() }))
    const entry = yield* directory.find(cnpj)
    if (entry?.credential === undefined || credentialMark(entry.credential) !== mark) {
      verified.delete(token)
      return yield* new Unauthenticated()
    }
    return cnpj
  })

  return Tokens.of({ issue, authenticate })
})

/** The token of an `Authorization: Bearer <token>` header; the scheme's name in any case (RFC 9110, 11.1). */
const bearerToken = (authorization: string | undefined): string | undefined => {
  if (authorization === undefined || authorization.length > longestToken + 7) return undefined
  if (authorization.charCodeAt(6) !== 0x20 || authorization.slice(0, 6).toLowerCase() !== "bearer") return undefined
  const token = authorization.slice(7).trim()
  return token === "" ? undefined : token
}
