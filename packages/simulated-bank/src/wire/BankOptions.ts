import type { ChargeKind } from "../ledger/Ledger.ts"
import type { BankAnswer, BankRequest } from "./BankRequest.ts"

export interface BankAccount {
  readonly cnpj: string
  readonly name: string
  readonly pixKeys: ReadonlyArray<string>
  /** The common name of the client certificate, if the bank uses TLS. */
  readonly clientId: string
  readonly clientSecret: string
  /** A key that the bank issues in addition to the client's secret, if its calls require it (`wants`). */
  readonly applicationKey?: string
  readonly accountNumber?: string
  /** The only valid token at a bank with a fixed `token`. */
  readonly fixedToken?: string
  /** Default: all scopes. */
  readonly scopes?: ReadonlyArray<string>
}

/**
 * The required value of a header or query parameter: a field of the account, its application key (or its client id if it has no
 * key), a new UUID, or an exact string.
 */
export type Wanted =
  | "clientId"
  | "applicationKey"
  | "keyOrClientId"
  | "accountNumber"
  | "freshUuid"
  | { readonly exactly: string }

export interface TokenWays {
  /** The place of the client's credentials. A bank with `fixed` tokens has no token requests. */
  readonly client: "headerOrBody" | "header" | "body" | "certificate" | "fixed"
  readonly content: "formOrJson" | "form" | "json"
  readonly scope: "optional" | "required" | "refused"
  /** The only scopes that the bank accepts. */
  readonly scopes?: ReadonlyArray<string>
  /** Required query parameters of token requests. */
  readonly query: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, "freshUuid" | { readonly exactly: string }>>
}

/** The differences of this bank from other banks. Tests can change them while the bank runs. */
export interface BankWays {
  hosts?: { readonly api: string; readonly token: string }
  /** Whether TLS requires client certificates. This is fixed while the bank runs. */
  certificate: "required" | "none"
  apiRoot: string
  /** Roots that differ from `apiRoot`, by method and first path segment, like `PATCH cob`: paths, or URLs at other hosts. */
  apiRoots: Readonly<Record<string, string>>
  tokenPath: string
  token: TokenWays
  /** Required headers and query parameters of every API call, by name. A `|` separates alternative names. */
  wants: {
    readonly headers: Readonly<Record<string, Wanted>>
    readonly query: Readonly<Record<string, Wanted>>
  }
  /** Refuses, before execution, a call that API Pix allows and this bank's contract forbids. */
  refusesRequest?: (request: BankRequest) => BankAnswer | undefined
  /** The answer to an invalid token. */
  deadToken: BankAnswer
  /** The supported kinds of charges. */
  kinds: ReadonlyArray<ChargeKind>
  /** Calls that the bank lacks, by method and path, like `GET loc {id} qrcode`. */
  lacks: ReadonlyArray<string>
  /** The bank's zone when it reads a list's period, which is in UTC. With `each`, a payment must match in both zones. */
  listsBy: "utc" | "brasilia" | "each"
  /** Refuses a list of this period. By default, a period can end in the future. */
  refusesPeriod?: (from: number, to: number, now: number) => boolean
  /** Whether lists ignore the txid filter. */
  ignoresTxid: boolean
  /** The number of a list's first page. If it is 1, page 0 is the first page as well, unless the bank refuses it. */
  firstPage: 0 | 1
  /** A list's page count: right, one too low if the last page isn't full, absent, or the count for only the requested page. */
  pageCounts: "right" | "roundedDown" | "none" | "ofThisPage"
  /** Maximum payments per page of a list. */
  pageSize: number
  /** Milliseconds from a payment until it is listed. */
  listsAfterMs: number
  /** The answer for a page beyond the last page. */
  pagesBeyond: "empty" | "refused" | "lastPage"
  /** How far a charge's creation time (`criacao`), in milliseconds, is ahead of the bank's clock. */
  creationAheadMs: number
  /** Checks a webhook's URL on registration. Returns a refusal, or undefined. */
  probeWebhook?: (url: string, registration: BankRequest) => Promise<BankAnswer | undefined>
  /** The form of keys in a webhook's path: telephone keys can lose their `+`. */
  webhookKeys: "asIs" | "withoutPlus"
  /** The suffix of a webhook's URL on each call. */
  noticeSuffix: "/pix" | ""
  /** Rewrites the standard's body of a webhook's call. */
  noticeBody?: (body: unknown) => unknown
  /** Rewrites the standard's answer. */
  reshape?: (answer: BankAnswer, call: BankRequest) => BankAnswer
  /** Rewrites the token endpoint's answer. */
  reshapeToken?: (answer: BankAnswer) => BankAnswer
  /** The effect of a second `PUT` of an active charge. */
  putOnExisting: "alters" | "refuses"
  /** The effect of a `PATCH` of an active charge's terms. A `PATCH` always removes a charge. */
  patchOfTerms: "alters" | "refuses"
  /** The effect of a second `PUT` of a return under the same id. */
  repeatedReturn: "refuses" | "repeats"
  /** The effect of a `PUT` of a webhook over a registered webhook. */
  putOnWebhook: "replaces" | "refuses"
  /** The effect of a second `PUT` of a cycle's charge with the same body. */
  putOnCycle: "repeats" | "refuses"
  /** Whether a cycle's charge needs a `devedor`, which can be empty. */
  cyclePayer: "optional" | "required"
  /** Milliseconds from an order to debit a payer until it is scheduled or rejected. */
  schedulingMs: number
  /** Whether lists and the key's webhook contain the payments of cycles. */
  listsCyclePix: boolean
  /** The time of a return's settlement. With `manual`, the test settles it. */
  returnPace: "atOnce" | "onNextLook" | "manual"
  /** The form of the copy-and-paste code in a charge; `ownCall`: only at `/qrcode` below the charge. */
  code: "given" | "locationOnly" | "nothing" | "broken" | "ofAnother" | "static" | "ownCall"
  numbersAsText: boolean
  /** Writes a list of one item as the item. */
  loneObjects: boolean
  /** Writes absent fields as null. */
  nulls: boolean
  /** Leaves control characters in strings unescaped, which is invalid JSON. */
  rawControls: boolean
  /** Encodings of answers, which callers didn't request, in the order of their application. */
  contentCodings: ReadonlyArray<"gzip" | "x-gzip" | "deflate" | "deflateRaw" | "br">
  keyInNotices: boolean
  /** Whether charges contain their payer (`devedor`). */
  payersInCharges: boolean
  paymentsInCharges: boolean
  /** The number of notices per payment. */
  noticeCopies: number
  /** Milliseconds before a notice is sent. */
  noticeDelayMs: number
  tokenLifetimeSeconds: number
}

/** The standard's ways, and the stricter way if the standard leaves a choice. */
export const standardWays = (): BankWays => ({
  certificate: "required",
  apiRoot: "/api/v2",
  apiRoots: {},
  tokenPath: "/oauth/token",
  token: { client: "headerOrBody", content: "formOrJson", scope: "optional", query: {} },
  wants: { headers: {}, query: {} },
  deadToken: { status: 401, body: { error: "invalid_token" } },
  kinds: ["cob", "cobv"],
  lacks: ["GET loc {id} qrcode"],
  listsBy: "utc",
  ignoresTxid: false,
  firstPage: 0,
  pageCounts: "right",
  pageSize: 1000,
  listsAfterMs: 0,
  pagesBeyond: "empty",
  creationAheadMs: 0,
  webhookKeys: "asIs",
  noticeSuffix: "/pix",
  putOnExisting: "alters",
  patchOfTerms: "alters",
  repeatedReturn: "refuses",
  putOnWebhook: "replaces",
  putOnCycle: "repeats",
  cyclePayer: "optional",
  schedulingMs: 0,
  listsCyclePix: false,
  returnPace: "onNextLook",
  code: "given",
  numbersAsText: false,
  loneObjects: false,
  nulls: false,
  rawControls: false,
  contentCodings: [],
  keyInNotices: true,
  payersInCharges: true,
  paymentsInCharges: true,
  noticeCopies: 1,
  noticeDelayMs: 0,
  tokenLifetimeSeconds: 3600,
})

/** A bank's ways in production, and in its sandbox if it has one. */
export interface PublishedWays {
  readonly production: Partial<BankWays>
  readonly sandbox?: Partial<BankWays>
}

export interface BankOptions {
  readonly accounts: ReadonlyArray<BankAccount>
  /** Serves HTTPS, requires client certificates of this authority (mTLS), and calls webhooks with `cert`. Default: plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca: string }
  /** A port of 127.0.0.1. Default: a free port. */
  readonly port?: number
  readonly ways?: Partial<BankWays>
  /** Epoch milliseconds. */
  readonly now?: () => number
}

/** Probes a webhook's address by `GET`, as some banks do before they register it. */
export const probedByGet =
  (refusal: () => BankAnswer): NonNullable<BankWays["probeWebhook"]> =>
  async (url) => {
    const status = await fetch(url).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    )
    return status === 200 ? undefined : refusal()
  }

const resources = ["locrec", "rec", "solicrec", "cobr", "webhookrec", "webhookcobr"]

/** The roots of calls (`apiRoots`) for a bank with all calls of Pix Automático at a different root. */
export const recurringRoots = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    resources.flatMap((resource) =>
      ["POST", "PUT", "GET", "PATCH", "DELETE"].map((method) => [`${method} ${resource}`, root]),
    ),
  )
