import { hash } from "node:crypto"
import {
  aFlag,
  aFunction,
  anObject,
  aNumber,
  aText,
  CausedError,
  oneOf,
  optionFlaw,
  type OptionRule,
  type OptionRules,
  required,
} from "@pixcharge/core/internal"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { type Fetch, fetchTransport } from "./http/fetchTransport.ts"
import { type MtlsTransport, mtlsTransport, type TlsIdentity } from "./http/mtlsTransport.ts"
import type { Transport } from "./http/Transport.ts"
import { makeTokenUrls } from "./http/TokenUrls.ts"
import { explainUnreadable } from "./http/explainUnreadable.ts"
import { aReceivingAccount, type ReceivingAccount } from "./ReceivingAccount.ts"
import { type Credentials, findDemandFlaw } from "./profileDemands.ts"
import { findProfileFlaw } from "./findProfileFlaw.ts"
import type { PspProfile, PspStage, PspWays } from "./PspProfile.ts"
import { standardProfile } from "./profiles/standard.ts"
import { type ProfileName, findProfile } from "./pspProfiles.ts"

/** Which of a bank's servers is meant. */
export type StageName = "production" | "sandbox"

interface ConnectionOptions {
  /** The bank by its name: where it is and how it differs from the standard. Default: a bank to the letter of it. */
  readonly psp?: ProfileName
  /** In place of `psp`, a profile of your own. */
  readonly profile?: PspProfile
  /** Which of the bank's servers. Default: `"production"`. */
  readonly stage?: StageName
  /** The bank's server without the API's path, like `https://pix.example.com`, if it is not where the profile says. */
  readonly baseUrl?: string
  /** The token endpoint, if it is not where the profile says. */
  readonly tokenUrl?: string
  /** The client id of your application at the bank. */
  readonly clientId: string
  /** Its secret. Left out if the bank wants none: see `clientAuthentication` of its profile. */
  readonly clientSecret?: string | Redacted.Redacted<string>
  /** The key of your application, at banks that give one beside the client's id. */
  readonly applicationKey?: string
  /** The number of the account, at banks that want it named. */
  readonly account?: string
  /**
   * The account into which debits of Pix Automático are paid; needed for recurrences, and for nothing else. With it the token is
   * asked for with their scopes, too.
   */
  readonly receivingAccount?: ReceivingAccount
  /** The token itself, where a bank's sandbox has but one. */
  readonly token?: string | Redacted.Redacted<string>
  /** The bank is to call the webhook without its certificate, at banks that have this choice. */
  readonly skipWebhookMtls?: boolean
  /** Sent with every call, the token's too. */
  readonly headers?: Readonly<Record<string, string>>
  /** Appended to the URL of every call, the token's too. */
  readonly query?: Readonly<Record<string, string>>
  /**
   * Whether a txid belongs to another system that receives on the same account (BolePix, an old integration): its payments are
   * left out, and are no exceptions. The txid of a charge of ours never counts as such.
   */
  readonly isForeignTxid?: (txid: string) => boolean
  /** How long one attempt may take. Default: 8000. A call with its retries takes at most two and a half times as long. */
  readonly timeoutMs?: number
}

type Not<K extends string> = { readonly [Key in K]?: never }

/**
 * How one company reaches its bank: with the company's own certificate and key (mTLS), or with a `fetch` of the host's own
 * that brings them. A function, like one that reads both from files, is called again every minute, so that a renewed
 * certificate needs no restart.
 */
export type ApiPixConnection = ConnectionOptions &
  (
    | (TlsIdentity & Not<"identity" | "fetch">)
    | ({ readonly identity: () => TlsIdentity } & Not<keyof TlsIdentity | "fetch">)
    | ({ readonly fetch: Fetch } & Not<"cert" | "key" | "pfx" | "identity">)
  )

/**
 * A connection or a webhook that can't work; the message says why and holds no secret.
 *
 * @remedy Correct the option that the message names.
 * @repeat No: with corrected options.
 */
export class ApiPixMisconfigured extends CausedError("ApiPixMisconfigured")<{
  /** Absent where it is no single company's. */
  readonly company?: string
  readonly message: string
  readonly cause?: unknown
}> {}

const defaultTimeoutMs = 8_000

interface Opened {
  readonly transport: Transport
  /** Absent with a `fetch` of the host's own, which brings it. */
  readonly certificate?: Pick<MtlsTransport, "renew" | "endsAt">
}

const makeTransport = (given: ApiPixConnection): Opened => {
  if (given.fetch !== undefined) return { transport: fetchTransport(given.fetch) }
  const { identity, cert, key, pfx, passphrase, ca } = given
  const transport = mtlsTransport(identity ?? (() => ({ cert, key, pfx, passphrase, ca })))
  return { transport, certificate: transport }
}

const redact = (given: string | Redacted.Redacted<string> = ""): Redacted.Redacted<string> =>
  typeof given === "string" ? Redacted.make(given) : given

/** May be empty here: whether the bank wants it is seen below. */
const aSecret: OptionRule = {
  mustBe: "a text, or Redacted",
  holds: (value) => typeof value === "string" || Redacted.isRedacted(value),
}

/** Checked together below, for some hold with others only. */
// Stryker disable next-line StringLiteral: it always holds, so nobody is told
const together: OptionRule = { mustBe: "as the others need it", holds: () => true }

const rules: OptionRules<ApiPixConnection> = {
  psp: { mustBe: "the name of a bank", holds: (value) => typeof value === "string" },
  profile: { ...anObject, mustBe: "a profile of your own; a bank that is known is named by psp" },
  stage: oneOf("production", "sandbox"),
  baseUrl: aText,
  tokenUrl: aText,
  clientId: required(aText),
  clientSecret: aSecret,
  applicationKey: aText,
  account: aText,
  receivingAccount: aReceivingAccount,
  token: aSecret,
  skipWebhookMtls: aFlag,
  headers: anObject,
  query: anObject,
  isForeignTxid: aFunction,
  timeoutMs: aNumber(1),
  identity: aFunction,
  cert: together,
  key: together,
  pfx: together,
  passphrase: aText,
  ca: together,
  fetch: aFunction,
}

/** The profile of a connection, or why it has none. */
const findProfileOrFail = ({ psp, profile }: ApiPixConnection): PspProfile | string => {
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
const findWays = (profile: PspProfile, given: ApiPixConnection): PspWays => {
  const ways = { ...standardProfile, ...omitUndefined(profile), ...omitUndefined(findStage(profile, given) ?? {}) }
  const isRecurring = given.receivingAccount !== undefined && ways.scope !== ""
  const scope = isRecurring ? `${ways.scope} ${recurrenceScope}` : ways.scope
  return { ...ways, scope, apiPaths: findApiPaths(ways, given) }
}

/** The bank's servers, without the slashes at their ends. */
const findServers = (profile: PspProfile, given: ApiPixConnection) => ({
  baseUrl: (given.baseUrl ?? findStage(profile, given)?.baseUrl)?.replace(/(?<!\/)\/+$/, ""),
  tokenUrl: given.tokenUrl ?? findWays(profile, given).tokenUrl,
})

/** Each URL of the bank by what it is. */
const listUrls = (profile: PspProfile, given: ApiPixConnection) => [
  ...Object.entries(findServers(profile, given)),
  ...Object.entries(findWays(profile, given).apiPaths)
    .filter(([, root]) => URL.canParse(root))
    .map(([call, root]) => [`the address of ${call}`, root] as const),
]

/** What the connection gives, for wherever the profile wants it; empty if it is not given. */
const listCredentials = (given: ApiPixConnection): Credentials => ({
  clientId: redact(given.clientId),
  clientSecret: redact(given.clientSecret),
  applicationKey: redact(given.applicationKey),
  account: redact(given.account),
  token: redact(given.token),
})

const hasIdentity = ({ fetch, identity, pfx, cert, key }: ApiPixConnection): boolean =>
  (fetch ?? identity ?? pfx) !== undefined || (cert !== undefined && key !== undefined)

const findUrlFlaw = (profile: PspProfile, given: ApiPixConnection): string | undefined => {
  for (const [name, url] of listUrls(profile, given)) {
    if (url === undefined) continue
    if (!URL.canParse(url)) return `${name} must be a URL`
    // With a fetch of its own the host may reach the bank through a proxy next to it.
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

/** Why a connection to a bank of this profile can't work, as far as it shows before the first call. */
const findFlaw = (profile: PspProfile, given: ApiPixConnection): string | undefined => {
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

/** Equal for connections to one account: that of the same client, with what else tells banks which account is meant. */
const hashAccount = (baseUrl: string, { clientId, account, headers, query }: ApiPixConnection): string =>
  hash("sha256", JSON.stringify([baseUrl, clientId, account, headers ?? {}, query ?? {}]))

/** The account of recurrences, or why there are none. */
const findReceivingAccount = (
  { recurrences }: PspWays,
  { psp, receivingAccount }: ApiPixConnection,
): Result.Result<ReceivingAccount, string> => {
  if (receivingAccount !== undefined) return Result.succeed(receivingAccount)
  return Result.fail(
    recurrences === "missing"
      ? `no public source shows recurrences at this bank (${psp ?? "a profile of the host's own"})`
      : "the company's connection has no receivingAccount, into which the debits of recurrences are paid",
  )
}

/** Checks a connection and opens its transport. Throws `ApiPixMisconfigured`. */
export const openConnection = (company: string, given: ApiPixConnection) => {
  const fail = (why: string, cause?: unknown) =>
    new ApiPixMisconfigured({
      company,
      message: `The API Pix connection of ${company} can't work: ${why}.`,
      ...(cause !== undefined && { cause }),
    })
  const odd = optionFlaw<ApiPixConnection>(given, rules)
  if (odd !== undefined) throw fail(odd)
  const profile = findProfileOrFail(given)
  if (typeof profile === "string") throw fail(profile)
  const flaw = findFlaw(profile, given)
  if (flaw !== undefined) throw fail(flaw)
  const ways = findWays(profile, given)
  const { baseUrl = "", tokenUrl } = findServers(profile, given)
  const tokenPaths = [ways.tokenPath, ...ways.otherTokenPaths].map((path) => `${baseUrl}${path}`)
  const opened = {
    stage: given.stage ?? ("production" satisfies StageName),
    baseUrl,
    tokenUrls: makeTokenUrls(tokenUrl === undefined ? tokenPaths : [tokenUrl]),
    clientId: given.clientId,
    credentials: listCredentials(given),
    profile: ways,
    headers: given.headers ?? {},
    query: given.query ?? {},
    webhookHeaders: given.skipWebhookMtls === true ? ways.skipWebhookMtlsHeaders : {},
    isForeignTxid: given.isForeignTxid ?? (() => false),
    receivingAccount: findReceivingAccount(ways, given),
    accountKey: hashAccount(baseUrl, given),
    timeoutMs: given.timeoutMs ?? defaultTimeoutMs,
  }
  try {
    return { ...opened, ...makeTransport(given) }
  } catch (cause) {
    throw fail(explainUnreadable(cause), cause)
  }
}

/** A connection with its defaults filled in. */
export type Connection = ReturnType<typeof openConnection>
