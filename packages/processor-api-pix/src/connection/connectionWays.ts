import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import {
  type CredentialName,
  type PspProfile,
  type PspStage,
  type PspWays,
  standardProfile,
} from "../profiles/PspProfile.ts"
import { findProfileFlaw } from "../profiles/findProfileFlaw.ts"
import { findProfile } from "../profiles/pspProfiles.ts"
import type { ApiPixConnection } from "./ApiPixConnection.ts"

/** What a connection gives to prove who it is; empty is not given. */
export type Credentials = Readonly<Record<CredentialName, Redacted.Redacted<string>>>

const redact = (given: string | Redacted.Redacted<string> = ""): Redacted.Redacted<string> =>
  typeof given === "string" ? Redacted.make(given) : given

/** What the connection gives, for wherever the profile wants it; empty if it is not given. */
export const listCredentials = (given: ApiPixConnection): Credentials => ({
  clientId: redact(given.clientId),
  clientSecret: redact(given.clientSecret),
  applicationKey: redact(given.applicationKey),
  account: redact(given.account),
  token: redact(given.token),
})

/** The profile of a connection, or why it has none. */
export const findProfileOrFail = ({ psp, profile }: ApiPixConnection): PspProfile | string => {
  if (profile === undefined) return psp === undefined ? standardProfile : findProfile(psp)
  return psp === undefined ? (findProfileFlaw(profile) ?? profile) : "it has psp and profile: name one of them"
}

/** The connection's stage of a profile: none where the profile leaves it to the connection. */
const findStage = (profile: PspProfile, { stage = "production" }: ApiPixConnection): PspStage | undefined =>
  profile[stage]

/** The fields that are there: plain JavaScript may have them undefined. */
const omitUndefined = <A extends object>(fields: A): Partial<A> =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as Partial<A>

/** What the calls of recurrences need. */
const recurrenceScope =
  "rec.write rec.read payloadlocationrec.write solicrec.write cobr.write cobr.read webhookrec.write webhookrec.read webhookcobr.write webhookcobr.read"

const trimSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, "")

/** Where calls apart go. A connection's own server stands in for all hosts: no token leaves for one that it has replaced. */
const findApiPaths = ({ apiPaths }: PspWays, { baseUrl }: ApiPixConnection): PspWays["apiPaths"] =>
  Record.map(apiPaths as Readonly<Record<string, string>>, (root) =>
    trimSlashes(baseUrl !== undefined && URL.canParse(root) ? new URL(root).pathname : root),
  )

/** What a profile says for the connection's stage. */
export const findWays = (profile: PspProfile, given: ApiPixConnection): PspWays => {
  const ways = { ...standardProfile, ...omitUndefined(profile), ...omitUndefined(findStage(profile, given) ?? {}) }
  const isRecurring = given.receivingAccount !== undefined && ways.scope !== ""
  const scope = isRecurring ? `${ways.scope} ${recurrenceScope}` : ways.scope
  return { ...ways, scope, apiPaths: findApiPaths(ways, given) }
}

/** The bank's servers, without the slashes at their ends. */
export const findServers = (profile: PspProfile, given: ApiPixConnection) => ({
  baseUrl: (given.baseUrl ?? findStage(profile, given)?.baseUrl)?.replace(/(?<!\/)\/+$/, ""),
  tokenUrl: given.tokenUrl ?? findWays(profile, given).tokenUrl,
})
