import { PixClientError } from "./PixClientError.ts"

/** Fetches a token when first needed, and keeps it while it is valid. */
export interface Tokens {
  readonly get: () => Promise<string>
  /** Drops a token that the service refused. The next call fetches a new token. */
  readonly refuse: (token: string) => void
}

/** Milliseconds before a token's end. A token with a shorter life is renewed halfway. */
const reserveMs = 60_000

/** RFC 6750. The platform's error would quote an invalid token. */
const tokenForm = /^[\w.~+/-]+=*$/

const checkToken = (token: unknown): void => {
  if (typeof token === "string" && tokenForm.test(token)) return
  throw new PixClientError({ message: "token() must resolve with a token, as text.", isTransient: false })
}

/** A token's lifetime by the JWT's claims, without a clock; Infinity if the claims don't state it. */
const lifetimeMs = (token: string): number => {
  try {
    const payload = token.split(".")[1] ?? ""
    const { iat, exp } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as Record<string, number>
    const ms = (Number(exp) - Number(iat)) * 1_000
    return ms > 0 ? ms : Infinity
  } catch {
    return Infinity
  }
}

/** Concurrent callers share one fetch, and a failed fetch isn't kept. */
export const makeTokens = (fetchToken: () => Promise<string>): Tokens => {
  let entry: { readonly token: string; readonly until: number } | undefined
  let pending: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    const token = await fetchToken()
    checkToken(token)
    const lifetime = lifetimeMs(token)
    entry = { token, until: Date.now() + lifetime - Math.min(reserveMs, lifetime / 2) }
    return token
  }

  return {
    get: () => {
      if (entry !== undefined && Date.now() < entry.until) return Promise.resolve(entry.token)
      return (pending ??= renew().finally(() => {
        pending = undefined
      }))
    },
    refuse: (token) => {
      if (entry?.token === token) entry = undefined
    },
  }
}
