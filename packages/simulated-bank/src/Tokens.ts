import { randomText } from "./Ledger.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount, BankWays } from "./BankOptions.ts"

/** Who calls: the common name and the fingerprint of its certificate, where there is TLS. */
export interface Caller {
  readonly commonName?: string
  readonly fingerprint?: string
}

interface Given {
  readonly account: BankAccount
  readonly until: number
  readonly fingerprint: string | undefined
}

const basicCredentials = (authorization: string | undefined): readonly [string, string] | undefined => {
  const encoded = /^Basic (.+)$/.exec(authorization ?? "")?.[1]
  if (encoded === undefined) return undefined
  const decoded = Buffer.from(encoded, "base64").toString()
  const colon = decoded.indexOf(":")
  return [decoded.slice(0, colon), decoded.slice(colon + 1)]
}

/** OAuth2 client credentials with tokens bound to the certificate they were given to (RFC 8705). */
export const makeTokens = (accounts: ReadonlyArray<BankAccount>, ways: BankWays, now: () => number) => {
  const given = new Map<string, Given>()

  /** `POST /oauth/token`. */
  const give = (caller: Caller, authorization: string | undefined, form: URLSearchParams): BankAnswer => {
    const [id, secret] = basicCredentials(authorization) ?? [form.get("client_id"), form.get("client_secret")]
    const account = accounts.find((one) => one.clientId === id && one.clientSecret === secret)
    const isItself = caller.fingerprint === undefined || caller.commonName === account?.clientId
    if (account === undefined || !isItself || form.get("grant_type") !== "client_credentials") {
      return { status: 401, body: { error: "invalid_client" } }
    }
    const token = randomText(40)
    const lifetime = ways.tokenLifetimeSeconds
    given.set(token, { account, until: now() + lifetime * 1000, fingerprint: caller.fingerprint })
    return {
      status: 200,
      body: { access_token: token, token_type: "Bearer", expires_in: lifetime, scope: form.get("scope") ?? "" },
    }
  }

  /** The account behind a call, or why there is none. */
  const authorizedAccount = (
    caller: Caller,
    authorization: string | undefined,
    scope: string,
  ): BankAccount | BankAnswer => {
    const known = given.get(/^Bearer (.+)$/.exec(authorization ?? "")?.[1] ?? "")
    if (known === undefined || known.until <= now() || known.fingerprint !== caller.fingerprint) {
      return { status: 401, body: { error: "invalid_token" } }
    }
    const { account } = known
    return account.scopes === undefined || account.scopes.includes(scope)
      ? account
      : problem(403, "AcessoNegado", `the scope ${scope} is missing`)
  }

  return { give, authorizedAccount, revokeAll: () => given.clear() }
}
