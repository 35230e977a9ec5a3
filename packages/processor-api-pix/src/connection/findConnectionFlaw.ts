import * as Redacted from "effect/Redacted"
import type { CredentialName, PspProfile, PspValue, PspWays } from "../profiles/PspProfile.ts"
import type { ApiPixConnection } from "./ApiPixConnection.ts"
import { type Credentials, findServers, findWays, listCredentials } from "./connectionWays.ts"

const listUrls = (profile: PspProfile, given: ApiPixConnection) => [
  ...Object.entries(findServers(profile, given)),
  ...Object.entries(findWays(profile, given).apiPaths)
    .filter(([, root]) => URL.canParse(root))
    .map(([call, root]) => [`the address of ${call}`, root] as const),
]

const hasIdentity = ({ fetch, identity, pfx, cert, key }: ApiPixConnection): boolean =>
  (fetch ?? identity ?? pfx) !== undefined || (cert !== undefined && key !== undefined)

const findUrlFlaw = (profile: PspProfile, given: ApiPixConnection): string | undefined => {
  for (const [name, url] of listUrls(profile, given)) {
    if (url === undefined) continue
    if (!URL.canParse(url)) return `${name} must be a URL`
    // A host's own fetch can reach the bank through a local proxy.
    if (given.fetch === undefined && !url.startsWith("https://")) return `${name} must be https`
  }
  return undefined
}

const findAddressFlaw = (profile: PspProfile, given: ApiPixConnection): string | undefined => {
  const { baseUrl, tokenUrl, stage = "production" } = given
  if (findServers(profile, given).baseUrl === undefined) {
    return profile.production === undefined && profile.sandbox === undefined
      ? "baseUrl is missing: name it, or the bank (psp)"
      : `no address of the bank's ${stage} is known: name its baseUrl`
  }
  if (baseUrl !== undefined && tokenUrl === undefined && findWays(profile, given).tokenUrl !== undefined) {
    return "it has a baseUrl, but this bank's tokens come from another server: name tokenUrl, too"
  }
  return findUrlFlaw(profile, given)
}

/** As far as it shows before the first call. */
export const findFlaw = (profile: PspProfile, given: ApiPixConnection): string | undefined => {
  const address = findAddressFlaw(profile, given)
  if (address !== undefined) return address
  const ways = findWays(profile, given)
  const demand = findDemandFlaw(ways, listCredentials(given))
  if (demand !== undefined) return demand
  if (given.skipWebhookMtls === true && Object.keys(ways.skipWebhookMtlsHeaders).length === 0) {
    return "it has skipWebhookMtls, and this bank has no such choice: leave it out"
  }
  if (given.receivingAccount !== undefined && ways.recurrences === "missing") {
    return "it has receivingAccount, and no public source shows recurrences at this bank: leave it out"
  }
  const isBranchless = given.receivingAccount !== undefined && given.receivingAccount.branch === undefined
  if (isBranchless && ways.recurrenceDemands.includes("receiverBranch")) {
    return "its receivingAccount has no branch, which this bank demands"
  }
  return ways.certificate === "required" && !hasIdentity(given)
    ? "it needs cert and key, pfx, identity, or a fetch of the host's own"
    : undefined
}

const isGiven = (name: keyof Credentials, given: Credentials): boolean => Redacted.value(given[name]) !== ""

const listWantedValues = ({ tokenQuery, tokenHeaders, headers, query }: PspWays): ReadonlyArray<PspValue> =>
  [tokenQuery, tokenHeaders, headers, query].flatMap((wanted) => Object.values(wanted))

const listCredentialValues = (ways: PspWays) =>
  listWantedValues(ways).flatMap((value) => (typeof value === "object" && "from" in value ? [value] : []))

const proofs = {
  basic: "clientSecret",
  body: "clientSecret",
  certificate: undefined,
  fixedToken: "token",
  headers: undefined,
} as const

/** The required credentials, except the certificate. */
export const listDemandedCredentials = (ways: PspWays): ReadonlyArray<keyof Credentials> => {
  const proof = proofs[ways.clientAuthentication]
  const others = listCredentialValues(ways).flatMap(({ from, isOptional, otherwise }) =>
    isOptional === true ? [] : [otherwise ?? from],
  )
  return [...new Set(["clientId" as const, ...(proof === undefined ? [] : [proof]), ...others])]
}

export const listOptionalCredentials = (ways: PspWays): ReadonlyArray<CredentialName> =>
  listCredentialValues(ways).flatMap(({ from, isOptional, otherwise }) =>
    isOptional === true || otherwise !== undefined ? [from] : [],
  )

export const describeDemands = (ways: PspWays): string => {
  const { certificate, scope } = ways
  const all = [
    "baseUrl",
    ...listDemandedCredentials(ways),
    ...listOptionalCredentials(ways).map((name) => `${name} (if your contract has it)`),
    ...(certificate === "required" ? ["the certificate"] : []),
    scope === "" ? "what your contract lets you do" : `the scopes (${scope})`,
  ]
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`
}

const bankSpecific = ["applicationKey", "account", "token"] as const

const findDemandFlaw = (ways: PspWays, given: Credentials): string | undefined => {
  const missing = listDemandedCredentials(ways).find((name) => !isGiven(name, given))
  if (missing !== undefined) return `${missing} is missing or empty`
  const used = new Set<string | undefined>([
    proofs[ways.clientAuthentication],
    ...listCredentialValues(ways).map(({ from }) => from),
  ])
  const unused = bankSpecific.find((name) => isGiven(name, given) && !used.has(name))
  return unused && `it has ${unused}, which this bank doesn't use: leave it out`
}
