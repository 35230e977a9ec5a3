import { apiPix, type ApiPixConnection, pspProfiles, standardProfile } from "@pixcharge/processor-api-pix"
import type { PspProfile } from "@pixcharge/processor-api-pix"
import { type BankHandler, bankWays, type BankWays } from "@pixcharge/simulated-bank"
import type { FaultDecisions } from "../FaultDecisions.ts"
import { accountHolder, companies } from "../names.ts"
import type { SeededRandom } from "@pixcharge/adapter-tests/fixtures"
import { bankFetch } from "./bankFetch.ts"
import type { BankCall } from "./BankClient.ts"
import { noticeSecret } from "./callWebhook.ts"
import { clientId, credentials } from "./openBank.ts"

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
