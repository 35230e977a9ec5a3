import type { Credential } from "@pixcharge/core/directory"
import { newestKey, ringSecret } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Redacted from "effect/Redacted"
import { SignJWT } from "jose/jwt/sign"
import { jwtVerify } from "jose/jwt/verify"
import { randomUUID } from "node:crypto"
import { hmac } from "./Signatures.ts"
import { defaultLifetimeMs, maxLifetimeMs, type TokenOptions } from "./TokenOptions.ts"

/** The tolerated difference between two hosts' clocks (decision 4). */
const clockToleranceSeconds = 60
const issuer = "pixcharge"

/** Base64url whose last character has no unused bits. */
const segment = "(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?"

/** The only spelling of a token: without blanks, padding and alternative last characters. */
const tokenForm = new RegExp(`^${segment}\\.${segment}\\.${segment}$`)

/** The maximum validity of any token, under any `lifetimeMs`. */
export const maxValidityMs = maxLifetimeMs + clockToleranceSeconds * 1_000

export interface Claims {
  readonly cnpj: Cnpj
  /** The token's id (`jti`). */
  readonly id: string
  readonly isMadeWith: (credential: Credential) => boolean
  /** Epoch milliseconds, including the tolerance. */
  readonly expiresAt: number
}

interface Key {
  readonly secret: Uint8Array
  readonly mark: (credential: Credential) => string
}

/** Makes and verifies tokens (decision 4); `now` is in epoch milliseconds. */
export class Jwt {
  readonly #ring: ReadonlyMap<string | undefined, Key>
  readonly #newestKid: string
  readonly #environment: string
  readonly #lifetimeMs: number

  constructor({ keys, environment, lifetimeMs = defaultLifetimeMs }: TokenOptions) {
    this.#ring = new Map(
      keys.map((key) => [
        key.kid,
        { secret: new TextEncoder().encode(ringSecret(key)), mark: makeCredentialMark(ringSecret(key)) },
      ]),
    )
    this.#newestKid = newestKey(keys).kid
    this.#environment = environment
    this.#lifetimeMs = lifetimeMs
  }

  sign(cnpj: Cnpj, credential: Credential, now: number): Promise<string> {
    const issuedAt = Math.floor(now / 1_000)
    const { secret, mark } = this.#findKey(this.#newestKid)
    return new SignJWT({ env: this.#environment, cred: mark(credential) })
      .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: this.#newestKid })
      .setIssuer(issuer)
      .setAudience(this.#audience)
      .setSubject(cnpj)
      .setIssuedAt(issuedAt)
      .setNotBefore(issuedAt)
      .setExpirationTime(issuedAt + Math.floor(this.#lifetimeMs / 1_000))
      .setJti(randomUUID())
      .sign(secret)
  }

  /** Rejects if the token isn't ours. */
  async verify(token: string, now: number): Promise<Claims> {
    // Stryker disable next-line StringLiteral: the reason for refusing a token is never shown
    if (!tokenForm.test(token)) throw new RangeError("the token is malformed")
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => this.#findKey(kid).secret, {
      algorithms: ["HS256"],
      typ: "JWT",
      issuer,
      audience: this.#audience,
      requiredClaims: ["sub", "iat", "nbf", "exp", "jti", "env", "cred"],
      clockTolerance: clockToleranceSeconds,
      // Also refuses tokens from the future, except for the tolerance.
      maxTokenAge: maxLifetimeMs / 1_000,
      currentDate: new Date(now),
    })
    const { sub, jti, cred, env, exp } = payload
    if (env !== this.#environment || typeof sub !== "string" || typeof jti !== "string" || exp === undefined) {
      throw new RangeError("the token lacks a claim, or is from another environment")
    }
    const { mark } = this.#findKey(protectedHeader.kid)
    return {
      cnpj: sub as Cnpj,
      id: jti,
      isMadeWith: (credential) => mark(credential) === cred,
      expiresAt: (exp + clockToleranceSeconds) * 1_000,
    }
  }

  get #audience(): string {
    return `pixcharge:${this.#environment}`
  }

  #findKey(kid: string | undefined): Key {
    const key = this.#ring.get(kid)
    if (key === undefined) throw new RangeError("no key of the ring has this kid")
    return key
  }
}

const serialize = ({ holder, key, registration }: Credential): string =>
  JSON.stringify([
    holder,
    key._tag,
    key._tag === "Plain" ? Redacted.value(key.key) : key.hmac,
    ...(registration === undefined ? [] : [registration]),
  ])

/**
 * Marks a credential in tokens of one signing secret: a one-way digest that changes with holder, key or registration (decision
 * 4).
 */
export const makeCredentialMark = (signingSecret: string): ((credential: Credential) => string) => {
  const markSecret = hmac(signingSecret, "pixcharge credential mark")
  const marks = new WeakMap<Credential, string>()
  return (credential) => {
    const known = marks.get(credential)
    if (known !== undefined) return known
    const mark = hmac(markSecret, serialize(credential)).toString("base64url")
    marks.set(credential, mark)
    return mark
  }
}
