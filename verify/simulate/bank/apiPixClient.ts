import {
  apiPix,
  type ApiPixConnection,
  type Fetch,
  type PspProfile,
  pspProfiles,
  standardProfile,
} from "@pixcharge/processor-api-pix"
import { type BankHandler, type BankReply, bankWays, type BankWays } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import { shortName } from "../judge/names.ts"
import type { FaultDecision, FaultDecisions } from "../FaultDecisions.ts"
import type { BankCall } from "./callBank.ts"
import { accountHolder, companies } from "../names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { clientId, credentials, noticeSecret } from "./openBank.ts"

/** Describes a call, such as `GET cob c3`. */
const describeCall = (method: string, pathname: string): string =>
  `${method} ${pathname.replaceAll(/E\d{31}|[0-9a-z]{35}/g, shortName)}`

const page = Buffer.from("<html></html>")
const busy = Buffer.from('{"title":"the bank is busy"}')

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): BankReply => ({
  status,
  headers,
  bytes: busy,
})

interface WrongReply {
  readonly reply: BankReply | undefined
  readonly isDone: boolean
}

const chooseWrongReply = (decision: FaultDecision, isRead: boolean): WrongReply | undefined => {
  const { random } = decision
  const isDone = random.chance(0.5)
  const retryAfter = random.pick(["", "1", "40"])
  // A page never replaces the answer to a read with 404, because the client would conclude that the thing doesn't
  // exist.
  const pageStatus = random.pick(isRead ? [200, 301] : [200, 301, 404])
  if (decision.hasFault("bank", "too many")) {
    return { reply: refusal(429, retryAfter === "" ? {} : { "retry-after": retryAfter }), isDone: false }
  }
  if (decision.hasFault("bank", "failing")) return { reply: refusal(random.pick([500, 502, 503])), isDone }
  if (decision.hasFault("bank", "cut")) return { reply: undefined, isDone }
  return decision.hasFault("bank", "page")
    ? { reply: { status: pageStatus, headers: {}, bytes: page }, isDone }
    : undefined
}

/** The parts of a `Response` that a client uses. To make a real `Response` would take longer than the whole bank does. */
const toResponse = (reply: BankReply | undefined): Response => {
  if (reply === undefined) throw new TypeError("the connection is broken")
  const { status, headers, bytes } = reply
  const body =
    bytes &&
    (async function* () {
      yield bytes
    })()
  return { status, headers: new Headers(headers), body: body ?? null } as unknown as Response
}

const lowerNames = (headers: RequestInit["headers"]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers as Readonly<Record<string, string>>).map(([name, value]) => [name.toLowerCase(), value]),
  )

export const bankFetch = (call: BankCall, faults: FaultDecisions, bank: BankHandler, commonName: string): Fetch => {
  const caller = { commonName, fingerprint: commonName }
  return async (url, { method = "GET", headers, body }) => {
    const { pathname } = new URL(url)
    const what = describeCall(method, pathname)
    const [, returnId] = method === "PUT" ? (/\/devolucao\/(\w+)$/.exec(pathname) ?? []) : []
    const decision = faults.decideNext(`the bank answers ${commonName} ${what}`)
    const wrong = chooseWrongReply(decision, method === "GET")
    const areRevoked = decision.hasFault("bank", "tokens revoked")
    const sent = { method, url, headers: lowerNames(headers), text: String(body ?? ""), caller }
    const calling = call<BankReply | undefined>(
      what,
      (give) => {
        if (areRevoked) bank.revokeTokens()
        if (wrong?.isDone === false) return give(wrong.reply)
        void bank.reply(sent).then((reply) => give(wrong === undefined ? reply : wrong.reply))
      },
      returnId,
    )
    return toResponse(await Effect.runPromise(calling))
  }
}

export interface BankOfApiPix {
  readonly profile: PspProfile
  readonly ways: Partial<BankWays>
}

/** Picks a bank that `apiPix` knows, or the literal standard. Only the latter gets `choices`. */
export const pickBank = ({ pick }: SeededRandom, ways: Partial<BankWays>, choices: Partial<BankWays>): BankOfApiPix => {
  const known = Object.keys(pspProfiles) as ReadonlyArray<keyof typeof pspProfiles>
  const name = pick<keyof typeof pspProfiles>(["standard", "standard", ...known])
  const { putOnExisting = "alters", ...rest } = ways
  if (name !== "standard") return { profile: pspProfiles[name], ways: { ...rest, ...bankWays[name].production } }
  return { profile: { ...standardProfile, putOnExisting }, ways: { ...ways, ...choices } }
}

const wantedCredentials = ({ headers, query, tokenHeaders, tokenQuery }: PspProfile): Partial<ApiPixConnection> => {
  const values = [headers, query, tokenHeaders, tokenQuery].flatMap((wanted) => Object.values(wanted))
  const wanted = new Set<unknown>(values.map((value) => typeof value === "object" && "from" in value && value.from))
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => name === "clientSecret" || wanted.has(name)))
}

/**
 * The real API Pix client of one process, and its webhook. The client's tokens, clocks and circuit breakers end with
 * the process.
 */
export const apiPixClient = (call: BankCall, faults: FaultDecisions, handler: BankHandler, profile: PspProfile) => {
  const connections = companies.map((cnpj) => {
    const id = clientId(accountHolder(cnpj))
    const fetch = bankFetch(call, faults, handler, id)
    const baseUrl = profile.production === undefined ? { baseUrl: "https://bank.invalid" } : {}
    return [cnpj, { profile, ...baseUrl, ...wantedCredentials(profile), clientId: id, timeoutMs: 4_000, fetch }]
  })
  const { processor, notices } = apiPix({
    companies: Object.fromEntries(connections) as Record<string, ApiPixConnection>,
    noticeSecrets: [noticeSecret],
  })
  return { processor, notices: notices.layer }
}
