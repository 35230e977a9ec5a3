import { optionFlaw } from "@pixcharge/core/internal"
import * as Result from "effect/Result"
import { hash } from "node:crypto"
import type { PspWays } from "../profiles/PspProfile.ts"
import type { ReceivingAccount } from "../wire/bodies.ts"
import { type ApiPixConnection, ApiPixMisconfigured, rules, type StageName } from "./ApiPixConnection.ts"
import type { Transport } from "./Transport.ts"
import { findProfileOrFail, findServers, findWays, listCredentials } from "./connectionWays.ts"
import { findFlaw } from "./findConnectionFlaw.ts"
import { fetchTransport, type MtlsTransport, mtlsTransport } from "./transports.ts"

const defaultTimeoutMs = 8_000

export interface Opened {
  readonly transport: Transport
  readonly certificate?: Pick<MtlsTransport, "renew" | "endsAt">
}

const makeTransport = (given: ApiPixConnection): Opened => {
  if (given.fetch !== undefined) return { transport: fetchTransport(given.fetch) }
  const { identity, cert, key, pfx, passphrase, ca } = given
  const transport = mtlsTransport(identity ?? (() => ({ cert, key, pfx, passphrase, ca })))
  return { transport, certificate: transport }
}

const hashAccount = (baseUrl: string, { clientId, account, headers, query }: ApiPixConnection): string =>
  hash("sha256", JSON.stringify([baseUrl, clientId, account, headers ?? {}, query ?? {}]))

const findReceivingAccount = (
  { recurrences }: PspWays,
  { psp, receivingAccount }: ApiPixConnection,
): Result.Result<ReceivingAccount, string> => {
  if (receivingAccount !== undefined) return Result.succeed(receivingAccount)
  return Result.fail(
    recurrences === "missing"
      ? `no public source shows recurrences at this bank (${psp ?? "a profile of the host's own"})`
      : "the company's connection has no receivingAccount for the debits of recurrences",
  )
}

/** Checks the connection. Throws `ApiPixMisconfigured`. */
export const openConnection = (company: string, given: ApiPixConnection) => {
  const fail = (why: string, cause?: unknown) =>
    new ApiPixMisconfigured({
      company,
      message: `The API Pix connection of ${company} can't work: ${why}.`,
      ...(cause !== undefined && { cause }),
    })
  const wrongOption = optionFlaw<ApiPixConnection>(given, rules)
  if (wrongOption !== undefined) throw fail(wrongOption)
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

export type Connection = ReturnType<typeof openConnection>

export interface TokenUrls {
  /** In the order of use: after a 404, the next URL is tried. */
  readonly list: () => ReadonlyArray<string>
  readonly keep: (url: string) => void
}

const makeTokenUrls = (known: ReadonlyArray<string>): TokenUrls => {
  let urls = known
  return {
    list: () => urls,
    keep: (url) => {
      if (urls[0] !== url) urls = [url, ...urls.filter((other) => other !== url)]
    },
  }
}

const sentences: ReadonlyArray<readonly [sign: RegExp, sentence: string]> = [
  [
    /^unsupported pkcs12/i,
    "its pfx is encrypted in an old way (RC2) that OpenSSL 3 doesn't read: write it as PEM with " +
      "`openssl pkcs12 -legacy -in client.p12 -nodes -out client.pem`, and give that file as cert and as key",
  ],
  [/mac verify failure/i, "its passphrase doesn't open its pfx"],
]

const explainUnreadable = (error: unknown): string => {
  const message = error instanceof Error ? error.message : ""
  const known = sentences.find(([sign]) => sign.test(message))
  return known?.[1] ?? "its certificate or key can't be read"
}
