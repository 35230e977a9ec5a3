import { makeFreshness } from "./admission.ts"
import type { Bank } from "./Bank.ts"
import { problem, type BankAnswer } from "./problems.ts"
import type { BankAccount, TokenWays } from "./BankOptions.ts"
import type { BankRequest, Caller } from "./BankRequest.ts"

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

const takesScope = ({ scope, scopes }: TokenWays, named: string | null): boolean =>
  named === null
    ? scope !== "required"
    : scope !== "refused" && named.split(" ").every((one) => scopes?.includes(one) ?? true)

/** OAuth2 client credentials with tokens bound to the certificate they were given to (RFC 8705). */
export const makeTokens = ({ accounts, ways, chance }: Bank) => {
  const given = new Map<string, Given>()
  const isFresh = makeFreshness()

  const formFields = (text: string): URLSearchParams =>
    text.startsWith("{") ? new URLSearchParams(JSON.parse(text) as Record<string, string>) : new URLSearchParams(text)

  /** Who asks for a token, by what this bank lets count. */
  const askingAccount = ({ caller, authorization, text }: BankRequest): BankAccount | undefined => {
    const { client } = ways.token
    const form = formFields(text)
    const header = client === "body" || client === "certificate" ? undefined : basicCredentials(authorization)
    const body = client === "header" ? [] : [form.get("client_id"), form.get("client_secret")]
    const [id, secret] = header ?? body
    const account = accounts.find((one) => one.clientId === id)
    const isItself = caller.fingerprint === undefined || caller.commonName === account?.clientId
    const isProved = client === "certificate" ? caller.fingerprint !== undefined : account?.clientSecret === secret
    return isItself && isProved ? account : undefined
  }

  const lacksHeader = ({ headers }: BankRequest): boolean =>
    Object.entries(ways.token.headers ?? {}).some(([name, wanted]) => {
      const value = String(headers[name.toLowerCase()] ?? "")
      return wanted === "freshUuid" ? !isFresh(name, value) : value !== wanted.exactly
    })

  /** Why a token request is refused before anybody looks who asks. */
  const findRequestFlaw = (request: BankRequest): string | undefined => {
    const { headers, query, text } = request
    const { client, content, query: wanted } = ways.token
    const form = formFields(text)
    if (lacksHeader(request)) return "invalid_request"
    const isJson = String(headers["content-type"]).startsWith("application/json")
    if (client === "fixed") return "invalid_request"
    if (content !== "formOrJson" && (content === "json") !== isJson) return "invalid_request"
    if (Object.entries(wanted).some(([name, value]) => query.get(name) !== value)) return "invalid_request"
    if ((form.get("grant_type") ?? query.get("grant_type")) !== "client_credentials") return "unsupported_grant_type"
    return takesScope(ways.token, form.get("scope")) ? undefined : "invalid_scope"
  }

  /** The token endpoint. */
  const give = (request: BankRequest): BankAnswer => {
    const flaw = findRequestFlaw(request)
    if (flaw !== undefined) return { status: 400, body: { error: flaw } }
    const account = askingAccount(request)
    if (account === undefined) return { status: 401, body: { error: "invalid_client" } }
    const { caller, text } = request
    const form = formFields(text)
    const token = chance.text(40)
    const lifetime = ways.tokenLifetimeSeconds
    given.set(token, { account, until: chance.now() + lifetime * 1000, fingerprint: caller.fingerprint })
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
    const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1] ?? ""
    if (ways.token.client === "fixed") {
      return accounts.find(({ fixedToken }) => fixedToken === token) ?? ways.deadToken
    }
    const known = given.get(token)
    if (known === undefined || known.until <= chance.now() || known.fingerprint !== caller.fingerprint)
      return ways.deadToken
    const { account } = known
    return account.scopes === undefined || account.scopes.includes(scope)
      ? account
      : problem(403, "AcessoNegado", `the scope ${scope} is missing`)
  }

  return { give, authorizedAccount, revokeAll: () => given.clear() }
}
