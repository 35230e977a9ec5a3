import type { Credential } from "@pixcharge/core/directory"
import { newestKey, ringSecret } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Redacted from "effect/Redacted"
import { SignJWT } from "jose/jwt/sign"
import { jwtVerify } from "jose/jwt/verify"
import { randomUUID } from "node:crypto"
import { hmac } from "./Signatures.ts"
import { defaultLifetimeMs, maxLifetimeMs, type TokenOptions } from "./TokenOptions.ts"

/** Two hosts' clocks may differ by this much (decision 4). */
const clockToleranceSeconds = 60
const issuer = "pixcharge"

/** A segment in Base64url whose last character carries no bit that isn't read. */
const segment = "(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?"

/** A token has this one spelling: no blank, no padding, no other last characters. */
const tokenForm = new RegExp(`^${segment}\\.${segment}\\.${segment}$`)

/** How long any token is good at most, those included that were made under another option `lifetimeMs`. */
export const maxValidityMs = maxLifetimeMs + clockToleranceSeconds * 1_000

/** What a token of ours says. */
export interface Claims {
  readonly cnpj: Cnpj
  /** The token's own id (`jti`). */
  readonly id: string
  /** Whether the token was made with this credential. */
  readonly isMadeWith: (credential: Credential) => boolean
  /** Epoch milliseconds; the tolerance is in it. */
  readonly expiresAt: number
}

interface Key {
  readonly secret: Uint8Array
  readonly mark: (credential: Credential) => string
}

/** Makes and verifies tokens (decision 4); `now` is epoch milliseconds. */
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

  /** The claims of a token; rejects if it isn't one of ours. */
  async verify(token: string, now: number): Promise<Claims> {
    // Stryker disable next-line StringLiteral: nobody is told why a token is refused
    if (!tokenForm.test(token)) throw new RangeError("this is no token's spelling")
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => this.#findKey(kid).secret, {
      algorithms: ["HS256"],
      typ: "JWT",
      issuer,
      audience: this.#audience,
      requiredClaims: ["sub", "iat", "nbf", "exp", "jti", "env", "cred"],
      clockTolerance: clockToleranceSeconds,
      // Refuses, with the tolerance, a token that claims to come from the future.
      maxTokenAge: maxLifetimeMs / 1_000,
      currentDate: new Date(now),
    })
    const { sub, jti, cred, env, exp } = payload
    if (env !== this.#environment || typeof sub !== "string" || typeof jti !== "string" || exp === undefined) {
      throw new RangeError("the token is another environment's, or nobody's")
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

  /** Throws for a kid that is not in the ring. */
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
 * What the tokens of one signing secret say of the credential that they were made with: a digest of holder, key and
 * registration, from which none can be found out. Another key, another holder's, or one that was registered again, has another
 * mark (decision 4).
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
