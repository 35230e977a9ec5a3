import type { PaymentProcessor } from "@pixcharge/core"
import { apiPix, type ApiPixConnection, pspProfiles, standardProfile } from "@pixcharge/processor-api-pix"
import type { Fetch, PspProfile } from "@pixcharge/processor-api-pix"
import { type BankHandler, bankWays, type BankWays } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { worldCompanies } from "../../fixtures/EventWorld.ts"
import { nameOf } from "../../judge/names.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import type { BankCall } from "./BankClient.ts"
import { clientId, credentials } from "./openBank.ts"

/** A bank as its clients know it, and its ways. */
export interface BankOfApiPix {
  readonly profile: PspProfile
  readonly ways: Partial<BankWays>
}

/** One of the banks that `apiPix` knows, or one to the letter of the standard; `ways` are those of which banks say nothing. */
export const pickBank = ({ pick }: SeededRandom, ways: Partial<BankWays>): BankOfApiPix => {
  const [first, ...others] = Object.keys(pspProfiles) as ReadonlyArray<keyof typeof pspProfiles>
  const name = pick([first ?? "standard", ...others])
  const { putOnExisting = "alters", ...rest } = ways
  if (name !== "standard") return { profile: pspProfiles[name], ways: { ...rest, ...bankWays[name].production } }
  return { profile: { ...standardProfile, putOnExisting }, ways }
}

/** The credentials that a bank wants, and no other. */
const wantedCredentials = ({ headers, query, tokenHeaders, tokenQuery }: PspProfile): Partial<ApiPixConnection> => {
  const values = [headers, query, tokenHeaders, tokenQuery].flatMap((wanted) => Object.values(wanted))
  const wanted = new Set<unknown>(values.map((value) => typeof value === "object" && "from" in value && value.from))
  return Object.fromEntries(Object.entries(credentials).filter(([name]) => name === "clientSecret" || wanted.has(name)))
}

/** What a call asks for, such as `GET cob c3`. */
const describeCall = (method: string, pathname: string): string =>
  `${method} ${pathname.replaceAll(/E\d{31}|[0-9a-f]{32}/g, nameOf)}`

/** The `fetch` of a company's connection, which asks the bank's handler. */
const bankFetch = (call: BankCall, { handle }: BankHandler, commonName: string): Fetch => {
  const caller = { commonName, fingerprint: commonName }
  return (address, { signal: _, ...init }) => {
    const request = new Request(address, init)
    const what = describeCall(request.method, new URL(address).pathname)
    const [, returnId] = request.method === "PUT" ? (/\/devolucao\/(\w+)$/.exec(new URL(address).pathname) ?? []) : []
    return Effect.runPromise(call<Response>(what, (give) => void handle(request, caller).then(give), returnId))
  }
}

/** The real client of API Pix for one process; its tokens, clocks and circuit breakers die with it. */
export const apiPixLayer = (
  call: BankCall,
  handler: BankHandler,
  profile: PspProfile,
): Layer.Layer<PaymentProcessor, unknown> => {
  const companies = worldCompanies.map(({ cnpj }) => {
    const id = clientId(cnpj)
    const fetch = bankFetch(call, handler, id)
    const baseUrl = profile.production === undefined ? { baseUrl: "https://bank.invalid" } : {}
    return [cnpj, { profile, ...baseUrl, ...wantedCredentials(profile), clientId: id, timeoutMs: 4_000, fetch }]
  })
  return apiPix({ companies: Object.fromEntries(companies) as Record<string, ApiPixConnection> }).processor
}
