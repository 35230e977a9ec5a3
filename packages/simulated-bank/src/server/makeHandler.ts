import type { Bank } from "../bank/Bank.ts"
import type { Routes } from "../routes/BankCall.ts"
import { chargeRoutes } from "../routes/chargeRoutes.ts"
import { cycleRoutes } from "../routes/cycleRoutes.ts"
import { paymentRoutes } from "../routes/paymentRoutes.ts"
import { recRoutes } from "../routes/recRoutes.ts"
import { requestRoutes } from "../routes/requestRoutes.ts"
import { webhookRoutes } from "../routes/webhookRoutes.ts"
import type { BankAccount, BankWays } from "../wire/BankOptions.ts"
import { type BankAnswer, type BankRequest, type Caller, nameCall, problem, segments } from "../wire/BankRequest.ts"
import { distort, encodeAnswer, readJson } from "../wire/json.ts"
import { makeAdmission, Tokens } from "./Tokens.ts"

/** The names of scopes that differ from their resources. */
const scopeNames: Readonly<Record<string, string>> = { loc: "payloadlocation", locrec: "payloadlocationrec" }

const requiredScope = ({ method, path }: BankRequest): string => {
  const [, resource = ""] = path.split("/")
  return `${scopeNames[resource] ?? resource}.${method === "GET" ? "read" : "write"}`
}

const refuseUnreadable = (error: unknown): BankAnswer => {
  if (error instanceof URIError || error instanceof SyntaxError)
    return problem(400, "RequisicaoInvalida", "path or body can't be read")
  throw error
}

/** A request with lower-case header names. */
export interface SentRequest extends Pick<BankRequest, "method" | "headers" | "text" | "caller"> {
  readonly url: string
}

export interface BankReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | undefined
}

/** A bank's interface for its companies' programs. */
export interface BankHandler {
  /** Answers a request to any host; `caller` is the authenticated caller. */
  readonly handle: (request: Request, caller?: Caller) => Promise<Response>
  /** Like `handle`, with plain data. */
  readonly reply: (request: SentRequest) => Promise<BankReply>
  /** Like `handle`, with a parsed call. */
  readonly answer: (request: BankRequest) => Promise<BankAnswer>
  readonly revokeTokens: () => void
}

/** API Pix as the bank's ways change it, without a network. */
export const makeHandler = (bank: Bank): BankHandler => {
  const { ways } = bank
  const tokens = new Tokens(bank)
  const admit = makeAdmission(ways)

  const standardAnswer = async (request: BankRequest): Promise<BankAnswer> => {
    const { method, path, caller, authorization } = request
    if (request.isElsewhere) return problem(404, "NaoEncontrado", `this bank has no ${method} ${path}`)
    const issue = async () => tokens.issue(request)
    if (method === "POST" && path === "/oauth/token") return issue().catch(refuseUnreadable)
    const account = tokens.authorize(caller, authorization, requiredScope(request))
    if ("status" in account) return account
    bank.recurring.catchUp()
    const run = async () => ways.refusesRequest?.(request) ?? route(bank, account, request)
    const result = admit(request, account) ?? (await run().catch(refuseUnreadable))
    return result.status < 400 ? { ...result, body: distort(result.body, ways) } : result
  }

  const answer = async (request: BankRequest): Promise<BankAnswer> => {
    const result = await standardAnswer(request)
    const reshaped = request.path === "/oauth/token" ? ways.reshapeToken?.(result) : ways.reshape?.(result, request)
    return reshaped ?? result
  }

  const reply = async ({ url, ...sent }: SentRequest): Promise<BankReply> => {
    const request = readRequest(ways, new URL(url), sent)
    const { status, headers: named, bytes } = encodeAnswer(await answer(request), ways)
    return { status, headers: { date: new Date(bank.chance.now()).toUTCString(), ...named }, bytes }
  }

  const handle = async (request: Request, caller: Caller = {}): Promise<Response> => {
    const headers = Object.fromEntries(request.headers)
    const { method, url } = request
    const { bytes, ...rest } = await reply({ method, url, headers, text: await request.text(), caller })
    return new Response(bytes ?? null, rest)
  }

  return { handle, reply, answer, revokeTokens: () => tokens.revokeAll() }
}

const routes: Routes = {
  ...chargeRoutes,
  ...paymentRoutes,
  ...webhookRoutes,
  ...recRoutes,
  ...requestRoutes,
  ...cycleRoutes,
}

const isLacking = ({ kinds, lacks }: Bank["ways"], name: string, resource: string): boolean => {
  const isOtherKind = (resource === "cob" || resource === "cobv") && !kinds.includes(resource)
  return isOtherKind || lacks.includes(name)
}

const route = async (bank: Bank, account: BankAccount, request: BankRequest): Promise<BankAnswer> => {
  const { method, path, query, text } = request
  const name = nameCall(method, path)
  const [resource = "", id = "", , partId = ""] = segments(path)
  const answer = Object.hasOwn(routes, name) && !isLacking(bank.ways, name, resource) ? routes[name] : undefined
  return answer === undefined
    ? problem(404, "NaoEncontrado", `this bank has no ${method} ${path}`)
    : answer({ bank, account, request, query, resource, id, partId, readBody: () => readJson(text) })
}

/** Splits a root into host and path. A bank without host names has one host. */
const splitRoot = (root: string, host: string | undefined) => {
  if (!URL.canParse(root)) return { host, path: root }
  const { hostname, pathname } = new URL(root)
  return { host: hostname, path: pathname }
}

/** The path below the API's root; undefined outside of the API. */
const locate = (ways: BankWays, method: string, host: string, pathname: string): string | undefined => {
  const { hosts, apiRoot, apiRoots, tokenPath } = ways
  if (method === "POST" && pathname === tokenPath && host === (hosts?.token ?? host)) return "/oauth/token"
  const found = [apiRoot, ...Object.values(apiRoots)]
    .map((root) => ({ root, ...splitRoot(root, hosts?.api) }))
    .filter((at) => pathname.startsWith(`${at.path}/`) && (hosts === undefined || host === at.host))
    .map(({ root, path }) => ({ root, below: pathname.slice(path.length) }))
    .find(({ root, below }) => root === (apiRoots[`${method} ${below.split("/")[1]}`] ?? apiRoot))?.below
  // This bank issues no tokens at its usual path.
  return found === "/oauth/token" ? undefined : found
}

export const readRequest = (
  ways: BankWays,
  { hostname, pathname, searchParams }: URL,
  sent: Pick<BankRequest, "method" | "headers" | "text" | "caller">,
): BankRequest => {
  const path = locate(ways, sent.method, hostname, pathname)
  return {
    ...sent,
    path: path ?? pathname,
    isElsewhere: path === undefined,
    query: searchParams,
    authorization: sent.headers.authorization,
  }
}
