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

/** A credential that isn't given is empty. */
export type Credentials = Readonly<Record<CredentialName, Redacted.Redacted<string>>>

const redact = (given: string | Redacted.Redacted<string> = ""): Redacted.Redacted<string> =>
  typeof given === "string" ? Redacted.make(given) : given

export const listCredentials = (given: ApiPixConnection): Credentials => ({
  clientId: redact(given.clientId),
  clientSecret: redact(given.clientSecret),
  applicationKey: redact(given.applicationKey),
  account: redact(given.account),
  token: redact(given.token),
})

export const findProfileOrFail = ({ psp, profile }: ApiPixConnection): PspProfile | string => {
  if (profile === undefined) return psp === undefined ? standardProfile : findProfile(psp)
  return psp === undefined ? (findProfileFlaw(profile) ?? profile) : "it has psp and profile: name one of them"
}

const findStage = (profile: PspProfile, { stage = "production" }: ApiPixConnection): PspStage | undefined =>
  profile[stage]

const omitUndefined = <A extends object>(fields: A): Partial<A> =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as Partial<A>

const recurrenceScope =
  "rec.write rec.read payloadlocationrec.write solicrec.write cobr.write cobr.read webhookrec.write webhookrec.read webhookcobr.write webhookcobr.read"

const trimSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, "")

/**
 * The paths of calls that have their own API root. A connection's `baseUrl` replaces all hosts, so no token goes to the
 * profile's hosts.
 */
const findApiPaths = ({ apiPaths }: PspWays, { baseUrl }: ApiPixConnection): PspWays["apiPaths"] =>
  Record.map(apiPaths as Readonly<Record<string, string>>, (root) =>
    trimSlashes(baseUrl !== undefined && URL.canParse(root) ? new URL(root).pathname : root),
  )

export const findWays = (profile: PspProfile, given: ApiPixConnection): PspWays => {
  const ways = { ...standardProfile, ...omitUndefined(profile), ...omitUndefined(findStage(profile, given) ?? {}) }
  const isRecurring = given.receivingAccount !== undefined && ways.scope !== ""
  const scope = isRecurring ? `${ways.scope} ${recurrenceScope}` : ways.scope
  return { ...ways, scope, apiPaths: findApiPaths(ways, given) }
}

/** The connection's servers. `baseUrl` has no trailing slashes. */
export const findServers = (profile: PspProfile, given: ApiPixConnection) => ({
  baseUrl: (given.baseUrl ?? findStage(profile, given)?.baseUrl)?.replace(/(?<!\/)\/+$/, ""),
  tokenUrl: given.tokenUrl ?? findWays(profile, given).tokenUrl,
})
