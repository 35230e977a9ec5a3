import { PixClientError } from "./PixClientError.ts"

/** Fetches a token when first needed, and keeps it while it is valid. */
export interface Tokens {
  readonly get: () => Promise<string>
  /** Drops a token that the service refused. The next call fetches another. */
  readonly refuse: (token: string) => void
}

/** Renews a token this long before its end, or halfway through a shorter life. */
const reserveMs = 60_000

/** A valid token in a header (RFC 6750); the platform's own error would quote an invalid one. */
const tokenForm = /^[\w.~+/-]+=*$/

const checkToken = (token: unknown): void => {
  if (typeof token === "string" && tokenForm.test(token)) return
  throw new PixClientError({ message: "token() must resolve with a token, as text.", isTransient: false })
}

/** From the JWT's claims, without a clock; Infinity if it doesn't state its lifetime. */
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

/** Concurrent callers share one fetch. A failed fetch isn't kept. */
export const makeTokens = (fetchToken: () => Promise<string>): Tokens => {
  let kept: { readonly token: string; readonly until: number } | undefined
  let pending: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    const token = await fetchToken()
    checkToken(token)
    const lives = lifetimeMs(token)
    kept = { token, until: Date.now() + lives - Math.min(reserveMs, lives / 2) }
    return token
  }

  return {
    get: () => {
      if (kept !== undefined && Date.now() < kept.until) return Promise.resolve(kept.token)
      return (pending ??= renew().finally(() => {
        pending = undefined
      }))
    },
    refuse: (token) => {
      if (kept?.token === token) kept = undefined
    },
  }
}
