import { CausedError } from "@pixcharge/core"
import {
  aFunction,
  anObject,
  aText,
  optionFlaw,
  type OptionRule,
  type OptionRules,
  required,
} from "@pixcharge/core/options"
import * as Redacted from "effect/Redacted"
import { type Fetch, fetchTransport } from "./http/fetchTransport.ts"
import { type MtlsTransport, mtlsTransport, type TlsIdentity } from "./http/mtlsTransport.ts"
import type { Transport } from "./http/Transport.ts"
import { whyUnreadable } from "./http/whyUnreadable.ts"
import { type PspProfile, standardProfile } from "./PspProfile.ts"

interface ConnectionOptions {
  /** The bank's server without the API's path, like `https://pix.example.com`. */
  readonly baseUrl: string
  /** The token endpoint, if it is not where the profile says. */
  readonly tokenUrl?: string
  readonly clientId: string
  /** Left out if the certificate alone identifies the client (`clientAuthentication: "certificate"`). */
  readonly clientSecret?: string | Redacted.Redacted<string>
  /** How the bank differs from the standard. Default: `standardProfile`. */
  readonly profile?: PspProfile
  /** Sent with every call: application keys, account numbers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Appended to the URL of every call, for banks that want their application key there. */
  readonly query?: Readonly<Record<string, string>>
  /** How long one attempt may take. Default: 8000. A call with its retries takes at most two and a half times as long. */
  readonly timeoutMs?: number
}

type Not<K extends string> = { readonly [Key in K]?: never }

/**
 * How one company reaches its bank: with the company's own certificate and key (mTLS), or with a `fetch` of the host's own
 * that brings them. A function, like one that reads both from files, is asked again every minute, so that a renewed
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

const redactSecret = (given: ApiPixConnection["clientSecret"] = ""): Redacted.Redacted<string> =>
  typeof given === "string" ? Redacted.make(given) : given

/** Checked together below, for some hold with others only. */
const together: OptionRule = { mustBe: "as the others need it", holds: () => true }

const rules: OptionRules<ApiPixConnection> = {
  baseUrl: required(aText),
  tokenUrl: aText,
  clientId: required(aText),
  clientSecret: together,
  profile: { ...anObject, mustBe: "standardProfile, or one of pspProfiles" },
  headers: anObject,
  query: anObject,
  timeoutMs: together,
  identity: aFunction,
  cert: together,
  key: together,
  pfx: together,
  passphrase: aText,
  ca: together,
  fetch: aFunction,
}

const findFlaw = (given: ApiPixConnection): string | undefined => {
  const flaw = optionFlaw<ApiPixConnection>(given, rules)
  if (flaw !== undefined) return flaw
  const { baseUrl, tokenUrl, clientSecret, profile, fetch, timeoutMs } = given
  for (const [name, url] of Object.entries(tokenUrl === undefined ? { baseUrl } : { baseUrl, tokenUrl })) {
    if (!URL.canParse(url)) return `${name} must be a URL`
    // With a fetch of its own the host may reach the bank through a proxy next to it.
    if (fetch === undefined && !url.startsWith("https://")) return `${name} must be https`
  }
  const needsSecret = (profile ?? standardProfile).clientAuthentication !== "certificate"
  if (needsSecret && Redacted.value(redactSecret(clientSecret)) === "") return "clientSecret is missing or empty"
  if ((fetch ?? given.identity ?? given.pfx) === undefined && (given.cert === undefined || given.key === undefined)) {
    return "it needs cert and key, pfx, identity, or a fetch of the host's own"
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) return "timeoutMs must be more than 0"
  return undefined
}

/** Checks a connection and opens its transport. Throws `ApiPixMisconfigured`. */
export const openConnection = (company: string, given: ApiPixConnection) => {
  const fail = (why: string, cause?: unknown) =>
    new ApiPixMisconfigured({
      company,
      message: `The API Pix connection of ${company} can't work: ${why}.`,
      ...(cause !== undefined && { cause }),
    })
  const flaw = findFlaw(given)
  if (flaw !== undefined) throw fail(flaw)
  const profile = given.profile ?? standardProfile
  const baseUrl = given.baseUrl.replace(/\/+$/, "")
  const opened = {
    apiUrl: `${baseUrl}${profile.apiPath}`,
    tokenUrl: given.tokenUrl ?? `${baseUrl}${profile.tokenPath}`,
    clientId: given.clientId,
    clientSecret: redactSecret(given.clientSecret),
    profile,
    headers: given.headers ?? {},
    query: new URLSearchParams(given.query ?? {}).toString(),
    timeoutMs: given.timeoutMs ?? defaultTimeoutMs,
  }
  try {
    return { ...opened, ...makeTransport(given) }
  } catch (cause) {
    throw fail(whyUnreadable(cause), cause)
  }
}

/** A connection with its defaults filled in. */
export type Connection = ReturnType<typeof openConnection>
