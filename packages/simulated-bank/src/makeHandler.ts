import { makeAdmission } from "./admission.ts"
import type { Bank } from "./Bank.ts"
import type { BankAccount } from "./BankOptions.ts"
import type { BankRequest, Caller } from "./BankRequest.ts"
import { readRequest } from "./readRequest.ts"
import { getCharge, getCode, patchCharge, putCharge } from "./chargeRoutes.ts"
import { distort } from "./distort.ts"
import { getPayment, getReturn, listPayments, putReturn } from "./paymentRoutes.ts"
import { problem, type BankAnswer } from "./problems.ts"
import { routeRecurring } from "./recurring/route.ts"
import { Tokens } from "./Tokens.ts"
import { deleteWebhook, getWebhook, putWebhook } from "./webhookRoutes.ts"
import { encodeAnswer } from "./writeJson.ts"

const requiredScope = ({ method, path }: BankRequest): string => {
  const resource = path.split("/")[1]
  return `${resource === "locrec" ? "payloadlocationrec" : resource}.${method === "GET" ? "read" : "write"}`
}

const route = async (bank: Bank, account: BankAccount, request: BankRequest): Promise<BankAnswer> => {
  const { method, path, query, text } = request
  const [, resource = "", id, part, returnId = ""] = path.split("/").map(decodeURIComponent)
  const isMissing = (resource === "cob" || resource === "cobv") && !bank.ways.kinds.includes(resource)
  if (isMissing) return problem(404, "NaoEncontrado", "this bank has no such charges")
  const body = (): unknown => JSON.parse(text)
  switch (`${method} ${resource}`) {
    case "PUT cob":
    case "PUT cobv":
      return putCharge(bank, account, resource as "cob" | "cobv", id ?? "", body())
    case "GET cob":
    case "GET cobv":
      return part === "qrcode"
        ? getCode(bank, account, resource as "cob" | "cobv", id ?? "")
        : getCharge(bank, account, resource as "cob" | "cobv", id ?? "")
    case "PATCH cob":
    case "PATCH cobv":
      return patchCharge(bank, account, resource as "cob" | "cobv", id ?? "", body())
    case "PUT webhook":
      return putWebhook(bank, account, request, id ?? "", body())
    case "GET webhook":
      return getWebhook(bank, account, id ?? "")
    case "DELETE webhook":
      return deleteWebhook(bank, account, id ?? "")
    case "PUT pix":
      if (part === "devolucao") return putReturn(bank, account, id ?? "", returnId, body())
      break
    case "GET pix":
      if (id === undefined) return listPayments(bank, account, query)
      return part === "devolucao" ? getReturn(bank, account, id, returnId) : getPayment(bank, account, id)
  }
  return (await routeRecurring(bank, account, request)) ?? problem(404, "NaoEncontrado", "no such resource")
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
    if (request.isElsewhere) return problem(404, "NaoEncontrado", "nothing is here")
    if (method === "POST" && path === "/oauth/token") return tokens.issue(request)
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
