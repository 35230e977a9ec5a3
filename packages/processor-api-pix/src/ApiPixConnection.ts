import * as Data from "effect/Data"
import * as Redacted from "effect/Redacted"
import { type Fetch, fetchTransport } from "./http/fetchTransport.ts"
import { mtlsTransport, type TlsIdentity } from "./http/mtlsTransport.ts"
import type { Transport } from "./http/Transport.ts"
import { type PspProfile, standardProfile } from "./PspProfile.ts"

interface ConnectionTerms {
  /** The bank's server without the API's path, like `https://pix.example.com`. */
  readonly baseUrl: string
  /** Where tokens are given, if elsewhere than the profile says. */
  readonly tokenUrl?: string
  readonly clientId: string
  /** Left out where the certificate alone proves who calls (`clientAuthentication: "certificate"`). */
  readonly clientSecret?: string | Redacted.Redacted<string>
  /** The bank's ways; `standardProfile` unless told. */
  readonly profile?: PspProfile
  /** Sent with every call: application keys, account numbers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Appended to the URL of every call, for banks that want their application key there. */
  readonly query?: Readonly<Record<string, string>>
  /** How long one call may take, 8000 ms unless told; a call with its repetitions takes at most two and a half times as long. */
  readonly timeoutMs?: number
}

/**
 * How one company reaches its bank. The certificate and key are the company's own (mTLS); a host that brings its own
 * `fetch` sees to that by itself.
 */
export type ApiPixConnection = ConnectionTerms &
  (
    | (TlsIdentity & { readonly fetch?: never })
    | { readonly fetch: Fetch; readonly cert?: never; readonly key?: never; readonly pfx?: never }
  )

/** A connection that can't work; the message says why and never repeats a secret. */
export class ApiPixMisconfigured extends Data.TaggedError("ApiPixMisconfigured")<{
  readonly company: string
  readonly message: string
  readonly cause?: unknown
}> {}

/** A connection with its defaults filled in. */
export interface Connection {
  readonly apiUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted<string>
  readonly profile: PspProfile
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly timeoutMs: number
  readonly transport: Transport
}

const defaultTimeoutMs = 8_000

const transportOf = (given: ApiPixConnection): Transport => {
  if (given.fetch !== undefined) return fetchTransport(given.fetch)
  const { cert, key, pfx, passphrase, ca } = given
  return mtlsTransport({
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(pfx !== undefined && { pfx }),
    ...(passphrase !== undefined && { passphrase }),
    ...(ca !== undefined && { ca }),
  })
}

const secretOf = (given: ApiPixConnection["clientSecret"] = ""): Redacted.Redacted<string> =>
  typeof given === "string" ? Redacted.make(given) : given

const flawOf = (given: ApiPixConnection): string | undefined => {
  const { baseUrl, tokenUrl, clientId, clientSecret, profile, fetch, timeoutMs } = given
  for (const url of tokenUrl === undefined ? [baseUrl] : [baseUrl, tokenUrl]) {
    if (!URL.canParse(url)) return `${url} is no URL`
    // With a fetch of its own the host may reach the bank through a proxy next to it.
    if (fetch === undefined && !url.startsWith("https://")) return `${url} must be https`
  }
  if (clientId === "") return "clientId is empty"
  const needsSecret = (profile ?? standardProfile).clientAuthentication !== "certificate"
  if (needsSecret && Redacted.value(secretOf(clientSecret)) === "") return "clientSecret is missing or empty"
  if (fetch === undefined && given.pfx === undefined && (given.cert === undefined || given.key === undefined)) {
    return "it needs cert and key, pfx, or a fetch of the host's own"
  }
  if (timeoutMs !== undefined && !(timeoutMs > 0)) return "timeoutMs must be more than 0"
  return undefined
}

/** Checks a connection and opens its transport. Throws `ApiPixMisconfigured`. */
export const openConnection = (company: string, given: ApiPixConnection): Connection => {
  const fail = (why: string, cause?: unknown) =>
    new ApiPixMisconfigured({
      company,
      message: `the API Pix connection of ${company}: ${why}`,
      ...(cause !== undefined && { cause }),
    })
  const flaw = flawOf(given)
  if (flaw !== undefined) throw fail(flaw)
  const profile = given.profile ?? standardProfile
  const baseUrl = given.baseUrl.replace(/\/+$/, "")
  const opened = {
    apiUrl: `${baseUrl}${profile.apiPath}`,
    tokenUrl: given.tokenUrl ?? `${baseUrl}${profile.tokenPath}`,
    clientId: given.clientId,
    clientSecret: secretOf(given.clientSecret),
    profile,
    headers: given.headers ?? {},
    query: new URLSearchParams(given.query ?? {}).toString(),
    timeoutMs: given.timeoutMs ?? defaultTimeoutMs,
  }
  try {
    return { ...opened, transport: transportOf(given) }
  } catch (cause) {
    throw fail("its certificate or key can't be read", cause)
  }
}
