import type { Cnpj, Credential } from "@pixcharge/core"
import { SignJWT } from "jose/jwt/sign"
import { jwtVerify } from "jose/jwt/verify"
import { randomUUID } from "node:crypto"
import { makeCredentialMark } from "./credentialMark.ts"
import { defaultLifetimeMs, longestLifetimeMs, type TokenOptions } from "./TokenOptions.ts"

/** Two hosts' clocks may differ by this much (decision 4). */
const clockToleranceSeconds = 60
const issuer = "pixcharge"

/** A segment in Base64url whose last character carries no bit that isn't read. */
const segment = "(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?"

/** A token has this one spelling: no blank, no padding, no other last characters. */
const tokenForm = new RegExp(`^${segment}\\.${segment}\\.${segment}$`)

/** How long any token is good at most, whatever the lifetime of new ones is. */
export const longestValidityMs = longestLifetimeMs + clockToleranceSeconds * 1_000

/** What a token of ours says. */
export interface Claims {
  readonly cnpj: Cnpj
  /** The token's own id (`jti`). */
  readonly id: string
  /** Whether the token was made with this credential. */
  readonly isOf: (credential: Credential) => boolean
  /** Epoch milliseconds; the tolerance is in it. */
  readonly expiresAt: number
}

/** Makes and verifies tokens (decision 4); `now` is epoch milliseconds. */
export const makeJwt = ({ keys, environment, lifetimeMs = defaultLifetimeMs }: TokenOptions) => {
  const audience = `pixcharge:${environment}`
  const ring = new Map(
    keys.map(({ kid, secret }) => [
      kid,
      { secret: new TextEncoder().encode(secret), markOf: makeCredentialMark(secret) },
    ]),
  )
  const [{ kid: newest }] = keys

  /** Throws for a kid that is not in the ring. */
  const keyAt = (kid: string | undefined) => {
    const key = kid === undefined ? undefined : ring.get(kid)
    if (key === undefined) throw new RangeError("no key of the ring has this kid")
    return key
  }

  return {
    sign: (cnpj: Cnpj, credential: Credential, now: number): Promise<string> => {
      const issuedAt = Math.floor(now / 1_000)
      const { secret, markOf } = keyAt(newest)
      return new SignJWT({ env: environment, cred: markOf(credential) })
        .setProtectedHeader({ alg: "HS256", typ: "JWT", kid: newest })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(cnpj)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(issuedAt + Math.floor(lifetimeMs / 1_000))
        .setJti(randomUUID())
        .sign(secret)
    },
    /** What a token says; rejects if it is none of ours. */
    verify: async (token: string, now: number): Promise<Claims> => {
      // Stryker disable next-line StringLiteral: nobody is told why a token is refused
      if (!tokenForm.test(token)) throw new RangeError("this is no token's spelling")
      const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyAt(kid).secret, {
        algorithms: ["HS256"],
        typ: "JWT",
        issuer,
        audience,
        requiredClaims: ["sub", "iat", "nbf", "exp", "jti", "env", "cred"],
        clockTolerance: clockToleranceSeconds,
        // Refuses, with the tolerance, a token that claims to come from the future.
        maxTokenAge: longestLifetimeMs / 1_000,
        currentDate: new Date(now),
      })
      const { sub, jti, cred, env, exp } = payload
      if (env !== environment || typeof sub !== "string" || typeof jti !== "string" || exp === undefined) {
        throw new RangeError("the token is another environment's, or nobody's")
      }
      const { markOf } = keyAt(protectedHeader.kid)
      return {
        cnpj: sub as Cnpj,
        id: jti,
        isOf: (credential) => markOf(credential) === cred,
        expiresAt: (exp + clockToleranceSeconds) * 1_000,
      }
    },
  }
}
