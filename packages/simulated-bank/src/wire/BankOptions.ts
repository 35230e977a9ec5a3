import type { ChargeKind } from "../ledger/Ledger.ts"
import type { BankAnswer, BankRequest } from "./BankRequest.ts"

/** A company with an account at the bank. */
export interface BankAccount {
  readonly cnpj: string
  readonly name: string
  readonly pixKeys: ReadonlyArray<string>
  /** The common name of the client certificate, if the bank uses TLS. */
  readonly clientId: string
  readonly clientSecret: string
  /** Issued in addition, if the bank requires it in calls (`wants`). */
  readonly applicationKey?: string
  readonly accountNumber?: string
  /** The only valid token at a bank with a fixed `token`. */
  readonly fixedToken?: string
  /** The scopes of its tokens; all by default. */
  readonly scopes?: ReadonlyArray<string>
}

/**
 * The required value of a header or query parameter: a field of the account, its application key or else client id, a
 * new UUID, or an exact text.
 */
export type Wanted =
  | "clientId"
  | "applicationKey"
  | "keyOrClientId"
  | "accountNumber"
  | "freshUuid"
  | { readonly exactly: string }

/** How clients request a token. */
export interface TokenWays {
  /** How clients authenticate; `fixed`: there are no token requests. */
  readonly client: "headerOrBody" | "header" | "body" | "certificate" | "fixed"
  readonly content: "formOrJson" | "form" | "json"
  /** Whether a scope is allowed, required or forbidden. */
  readonly scope: "optional" | "required" | "refused"
  /** The known scopes, if it refuses others. */
  readonly scopes?: ReadonlyArray<string>
  /** Required in the query of the token's URL. */
  readonly query: Readonly<Record<string, string>>
  /** Required headers. */
  readonly headers?: Readonly<Record<string, "freshUuid" | { readonly exactly: string }>>
}

/** How this bank differs from others; may be changed while it runs. */
export interface BankWays {
  /** The host names of its servers, without port; any by default. */
  hosts?: { readonly api: string; readonly token: string }
  /** Whether callers need a certificate under TLS; fixed while it runs. */
  certificate: "required" | "none"
  /** The API's root path. */
  apiRoot: string
  /** Other roots for some calls, by method and first path segment, like `PATCH cob`: paths, or addresses at another host. */
  apiRoots: Readonly<Record<string, string>>
  tokenPath: string
  token: TokenWays
  /** Required headers and query parameters of every API call, by name; of names with `|` between them any one. */
  wants: {
    readonly headers: Readonly<Record<string, Wanted>>
    readonly query: Readonly<Record<string, Wanted>>
  }
  /** Refuses a call that API Pix allows and this bank's own contract doesn't, before it does anything. */
  refusesRequest?: (request: BankRequest) => BankAnswer | undefined
  /** The answer to an invalid token. */
  deadToken: BankAnswer
  /** The supported kinds of charges. */
  kinds: ReadonlyArray<ChargeKind>
  /** The calls that it doesn't have, by method and path, like `GET loc {id} qrcode`. */
  lacks: ReadonlyArray<string>
  /**
   * How it reads a list's period, which is in UTC: as UTC, as Brasília's time, or as both (a payment must match both).
   */
  listsBy: "utc" | "brasilia" | "each"
  /** Whether it refuses a list of this period. By default it takes one that ends in the future. */
  refusesPeriod?: (from: number, to: number, now: number) => boolean
  /** Lists ignore the txid filter. */
  ignoresTxid: boolean
  /** The number of a list's first page. If that is 1, page 0 is the same, unless it is refused. */
  firstPage: 0 | 1
  /** A list's page count: right, one less if the last page isn't full, none, or as if this page were all. */
  pageCounts: "right" | "roundedDown" | "none" | "ofThisPage"
  /** Maximum payments per page of a list. */
  pageSize: number
  /** Milliseconds from a payment until it is listed. */
  listsAfterMs: number
  /** The answer for a page beyond the last. */
  pagesBeyond: "empty" | "refused" | "lastPage"
  /** How far the creation of charges (`criacao`) is ahead of the bank's clock, in milliseconds. */
  creationAheadMs: number
  /** Checks a webhook's address on registration: a refusal, or undefined. */
  probeWebhook?: (url: string, registration: BankRequest) => Promise<BankAnswer | undefined>
  /** How keys appear in a webhook's path: telephone keys may lose their `+`. */
  webhookKeys: "asIs" | "withoutPlus"
  /** Appended to a webhook's URL on each call. */
  noticeSuffix: "/pix" | ""
  /** Makes the body of a webhook's call from the standard's. */
  noticeBody?: (body: unknown) => unknown
  /** Makes this bank's answer from the standard's. */
  reshape?: (answer: BankAnswer, call: BankRequest) => BankAnswer
  /** The same for the token endpoint. */
  reshapeToken?: (answer: BankAnswer) => BankAnswer
  /** What a second `PUT` of an active charge does. */
  putOnExisting: "alters" | "refuses"
  /** What a second `PUT` of a return under the same id does. */
  repeatedReturn: "refuses" | "repeats"
  /** What a `PUT` of a webhook does if one is registered. */
  putOnWebhook: "replaces" | "refuses"
  /** What a second `PUT` of a cycle's charge with the same body does. */
  putOnCycle: "repeats" | "refuses"
  /** Whether a cycle's charge needs a `devedor`, though it says nothing. */
  cyclePayer: "optional" | "required"
  /** Milliseconds from an order to debit a payer until it is scheduled or rejected. */
  schedulingMs: number
  /** Whether lists have the payments of cycles, and the webhook of a key is told of them. */
  listsCyclePix: boolean
  /** When a return is settled; `manual`: by the test. */
  returnPace: "atOnce" | "onNextLook" | "manual"
  /** How a charge shows its copy-and-paste code; `ownCall`: only at `/qrcode` below the charge. */
  code: "given" | "locationOnly" | "nothing" | "broken" | "ofAnother" | "static" | "ownCall"
  /** Numbers are written as texts. */
  numbersAsText: boolean
  /** A list of one item is written as the item. */
  loneObjects: boolean
  /** Absent fields are written as null. */
  nulls: boolean
  /** Control characters in texts are not escaped, which is invalid JSON. */
  rawControls: boolean
  /** Unrequested encodings of answers, applied in this order. */
  contentCodings: ReadonlyArray<"gzip" | "x-gzip" | "deflate" | "deflateRaw" | "br">
  /** Notices contain their key. */
  keyInNotices: boolean
  /** Charges contain their payer (`devedor`). */
  payersInCharges: boolean
  /** Charges contain their payments. */
  paymentsInCharges: boolean
  /** The number of notices per payment. */
  noticeCopies: number
  /** Milliseconds before a notice is sent. */
  noticeDelayMs: number
  tokenLifetimeSeconds: number
}

/** API Pix by the standard; where that leaves a choice, the stricter way. */
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

/** A bank's published ways: of production, and of its sandbox if it has one. */
export interface PublishedWays {
  readonly production: Partial<BankWays>
  readonly sandbox?: Partial<BankWays>
}

/** Options of a simulated bank. */
export interface BankOptions {
  readonly accounts: ReadonlyArray<BankAccount>
  /**
   * HTTPS with client certificates of this authority (mTLS), and webhooks under HTTPS called with the certificate; by default
   * plain HTTP.
   */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca: string }
  /** Where it listens on 127.0.0.1; by default at any port that is free. */
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

/** All calls of Pix Automático at another root. */
export const recurringRoots = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    resources.flatMap((resource) =>
      ["POST", "PUT", "GET", "PATCH", "DELETE"].map((method) => [`${method} ${resource}`, root]),
    ),
  )
