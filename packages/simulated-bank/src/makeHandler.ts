import { makeAdmission } from "./admission.ts"
import type { Bank } from "./Bank.ts"
import type { BankRequest, Caller } from "./BankRequest.ts"
import { readRequest } from "./readRequest.ts"
import { distort } from "./distort.ts"
import { problem, type BankAnswer } from "./problems.ts"
import { route } from "./route.ts"
import { Tokens } from "./Tokens.ts"
import { encodeAnswer } from "./writeJson.ts"

/** The scopes of these resources have other names. */
const scopeNames: Readonly<Record<string, string>> = { loc: "payloadlocation", locrec: "payloadlocationrec" }

const requiredScope = ({ method, path }: BankRequest): string => {
  const [, resource = ""] = path.split("/")
  return `${scopeNames[resource] ?? resource}.${method === "GET" ? "read" : "write"}`
}

/** Refuses a path that can't be decoded, or a body that isn't JSON. */
const refuseUnreadable = (error: unknown): BankAnswer => {
  if (error instanceof URIError || error instanceof SyntaxError)
    return problem(400, "RequisicaoInvalida", "path or body can't be read")
  throw error
}

/** A request, with lower-case header names. */
export interface SentRequest extends Pick<BankRequest, "method" | "headers" | "text" | "caller"> {
  readonly url: string
}

/** An answer on the wire. */
export interface BankReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | undefined
}

/** A bank's interface for its companies' programs. */
export interface BankHandler {
  /** Answers a request to any host; `caller` is the authenticated caller. */
  readonly handle: (request: Request, caller?: Caller) => Promise<Response>
  /** The same, with plain data. */
  readonly reply: (request: SentRequest) => Promise<BankReply>
  /** The same, for a parsed call. */
  readonly answer: (request: BankRequest) => Promise<BankAnswer>
  /** Makes every issued token invalid. */
  readonly revokeTokens: () => void
}

/** API Pix of a bank in its ways, without a network. */
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
    const answered = admit(request, account) ?? (await run().catch(refuseUnreadable))
    return answered.status < 400 ? { ...answered, body: distort(answered.body, ways) } : answered
  }

  const answer = async (request: BankRequest): Promise<BankAnswer> => {
    const answered = await standardAnswer(request)
    const reshaped = request.path === "/oauth/token" ? ways.reshapeToken?.(answered) : ways.reshape?.(answered, request)
    return reshaped ?? answered
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
