import type { Bank } from "../bank/Bank.ts"
import type { BankAccount, BankWays, TokenWays, Wanted } from "../wire/BankOptions.ts"
import { type BankAnswer, type BankRequest, type Caller, problem } from "../wire/BankRequest.ts"
import { readJson } from "../wire/json.ts"

interface Given {
  readonly account: BankAccount
  readonly until: number
  readonly fingerprint: string | undefined
  /** The requested scopes; all of the account's if undefined. */
  readonly scopes: ReadonlyArray<string> | undefined
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

const formFields = (text: string): URLSearchParams =>
  text.startsWith("{") ? new URLSearchParams(readJson(text) as Record<string, string>) : new URLSearchParams(text)

/** OAuth2 client credentials with certificate-bound tokens (RFC 8705). */
export class Tokens {
  readonly #bank: Bank
  readonly #given = new Map<string, Given>()
  readonly #isFresh = makeFreshness()

  constructor(bank: Bank) {
    this.#bank = bank
  }

  #authenticate({ caller, authorization, text }: BankRequest): BankAccount | undefined {
    const { client } = this.#bank.ways.token
    const form = formFields(text)
    const header = client === "body" || client === "certificate" ? undefined : basicCredentials(authorization)
    const body = client === "header" ? [] : [form.get("client_id"), form.get("client_secret")]
    const [id, secret] = header ?? body
    const account = this.#bank.accounts.find((one) => one.clientId === id)
    const isItself = caller.fingerprint === undefined || caller.commonName === account?.clientId
    const isProved = client === "certificate" ? caller.fingerprint !== undefined : account?.clientSecret === secret
    return isItself && isProved ? account : undefined
  }

  #lacksHeader({ headers }: BankRequest): boolean {
    return Object.entries(this.#bank.ways.token.headers ?? {}).some(([name, wanted]) => {
      const value = String(headers[name.toLowerCase()] ?? "")
      return wanted === "freshUuid" ? !this.#isFresh(name, value) : value !== wanted.exactly
    })
  }

  /** Finds a fault of a token request that doesn't depend on the account. */
  #findRequestFlaw(request: BankRequest): string | undefined {
    const { headers, query, text } = request
    const { client, content, query: wanted } = this.#bank.ways.token
    const form = formFields(text)
    if (this.#lacksHeader(request)) return "invalid_request"
    const isJson = String(headers["content-type"]).startsWith("application/json")
    if (client === "fixed") return "invalid_request"
    if (content !== "formOrJson" && (content === "json") !== isJson) return "invalid_request"
    if (Object.entries(wanted).some(([name, value]) => query.get(name) !== value)) return "invalid_request"
    if ((form.get("grant_type") ?? query.get("grant_type")) !== "client_credentials") return "unsupported_grant_type"
    return takesScope(this.#bank.ways.token, form.get("scope")) ? undefined : "invalid_scope"
  }

  issue(request: BankRequest): BankAnswer {
    const flaw = this.#findRequestFlaw(request)
    if (flaw !== undefined) return { status: 400, body: { error: flaw } }
    const account = this.#authenticate(request)
    if (account === undefined) return { status: 401, body: { error: "invalid_client" } }
    const { caller, text } = request
    const scope = formFields(text).get("scope") ?? ""
    const token = this.#bank.chance.text(40)
    const lifetime = this.#bank.ways.tokenLifetimeSeconds
    this.#given.set(token, {
      account,
      until: this.#bank.chance.now() + lifetime * 1000,
      fingerprint: caller.fingerprint,
      scopes: scope === "" ? undefined : scope.split(" "),
    })
    return {
      status: 200,
      body: { access_token: token, token_type: "Bearer", expires_in: lifetime, scope },
    }
  }

  /** The account behind a call, or the refusal. */
  authorize(caller: Caller, authorization: string | undefined, scope: string): BankAccount | BankAnswer {
    const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1] ?? ""
    if (this.#bank.ways.token.client === "fixed") {
      return this.#bank.accounts.find(({ fixedToken }) => fixedToken === token) ?? this.#bank.ways.deadToken
    }
    const known = this.#given.get(token)
    if (known === undefined || known.until <= this.#bank.chance.now() || known.fingerprint !== caller.fingerprint)
      return this.#bank.ways.deadToken
    const { account, scopes } = known
    return [account.scopes, scopes].every((allowed) => allowed?.includes(scope) ?? true)
      ? account
      : problem(403, "AcessoNegado", `the scope ${scope} is missing`)
  }

  revokeAll(): void {
    this.#given.clear()
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Makes a check that a value is a UUID that this header or parameter didn't have before. */
const makeFreshness = () => {
  const seen = new Set<string>()
  return (name: string, value: string): boolean => {
    const isNew = uuid.test(value) && !seen.has(`${name} ${value}`)
    seen.add(`${name} ${value}`)
    return isNew
  }
}

/** Makes a check that refuses calls without the headers and parameters that this bank requires. */
export const makeAdmission = (ways: BankWays) => {
  const isFresh = makeFreshness()

  const isWanted = (name: string, value: string | undefined, wanted: Wanted, account: BankAccount): boolean => {
    if (value === undefined) return false
    if (typeof wanted === "object") return value === wanted.exactly
    if (wanted === "keyOrClientId") return value === (account.applicationKey ?? account.clientId)
    return wanted === "freshUuid" ? isFresh(name, value) : value === account[wanted]
  }

  return ({ headers, query }: BankRequest, account: BankAccount): BankAnswer | undefined => {
    const header = (name: string): string | undefined => headers[name.toLowerCase()]?.toString()
    const part = (name: string): string | undefined => query.get(name) ?? undefined
    const isSent = (names: string, read: typeof part, wanted: Wanted): boolean =>
      names.split("|").some((name) => isWanted(name, read(name), wanted, account))
    const lacks = [
      ...Object.entries(ways.wants.headers).filter(([names, wanted]) => !isSent(names, header, wanted)),
      ...Object.entries(ways.wants.query).filter(([names, wanted]) => !isSent(names, part, wanted)),
    ]
    return lacks.length === 0
      ? undefined
      : problem(403, "AcessoNegado", `wanted: ${lacks.map(([name]) => name).join(", ")}`)
  }
}
