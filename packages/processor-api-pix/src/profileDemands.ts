import * as Redacted from "effect/Redacted"
import type { CredentialName, PspValue, PspWays } from "./PspProfile.ts"

/** What a connection gives to prove who it is; empty is not given. */
export type Credentials = Readonly<Record<CredentialName, Redacted.Redacted<string>>>

const isGiven = (name: keyof Credentials, given: Credentials): boolean => Redacted.value(given[name]) !== ""

const listWantedValues = ({ tokenQuery, tokenHeaders, headers, query }: PspWays): ReadonlyArray<PspValue> =>
  [tokenQuery, tokenHeaders, headers, query].flatMap((wanted) => Object.values(wanted))

const named = (ways: PspWays) =>
  listWantedValues(ways).flatMap((value) => (typeof value === "object" && "from" in value ? [value] : []))

const proofs = {
  basic: "clientSecret",
  body: "clientSecret",
  certificate: undefined,
  fixedToken: "token",
  headers: undefined,
} as const

/** The credentials without which a bank can't be called, beside the certificate. */
export const listDemandedCredentials = (ways: PspWays): ReadonlyArray<keyof Credentials> => {
  const proof = proofs[ways.clientAuthentication]
  const others = named(ways).flatMap(({ from, isOptional, otherwise }) =>
    isOptional === true ? [] : [otherwise ?? from],
  )
  return [...new Set(["clientId" as const, ...(proof === undefined ? [] : [proof]), ...others])]
}

/** The credentials that only some of a bank's contracts have. */
export const listOptionalCredentials = (ways: PspWays): ReadonlyArray<CredentialName> =>
  named(ways).flatMap(({ from, isOptional, otherwise }) =>
    isOptional === true || otherwise !== undefined ? [from] : [],
  )

/** What to look at where a bank refuses us: all that it goes by, in words. */
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

/** Given for banks that want them: of no use at any other. */
const special = ["applicationKey", "account", "token"] as const

/** What a bank demands and a connection lacks, or what it has that the bank can't use; undefined if all is well. */
export const findDemandFlaw = (ways: PspWays, given: Credentials): string | undefined => {
  const missing = listDemandedCredentials(ways).find((name) => !isGiven(name, given))
  if (missing !== undefined) return `${missing} is missing or empty`
  const used = new Set<string | undefined>([proofs[ways.clientAuthentication], ...named(ways).map(({ from }) => from)])
  const idle = special.find((name) => isGiven(name, given) && !used.has(name))
  return idle && `it has ${idle}, for which this bank has no use: leave it out`
}
