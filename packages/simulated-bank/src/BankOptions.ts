import type { BankRequest } from "./BankRequest.ts"
import type { BankAnswer } from "./problems.ts"

/** A company with an account at the bank. */
export interface BankAccount {
  readonly cnpj: string
  readonly name: string
  readonly pixKeys: ReadonlyArray<string>
  /** The client certificate must carry it as its common name, where the bank listens with TLS. */
  readonly clientId: string
  readonly clientSecret: string
  /** What this bank gives beside both, where it wants it in its calls (`wants`). */
  readonly applicationKey?: string
  readonly accountNumber?: string
  /** The only token that there is, at a bank whose `token` is fixed. */
  readonly fixedToken?: string
  /** What its tokens may do; everything by default. */
  readonly scopes?: ReadonlyArray<string>
}

/**
 * What a header or a part of the query must be: one of the account's, the key that an account has beside its client's id or
 * else that id, a UUID that came with no call before, or this very text.
 */
export type Wanted =
  | "clientId"
  | "applicationKey"
  | "keyOrClientId"
  | "accountNumber"
  | "freshUuid"
  | { readonly exactly: string }

/** How a token is asked for. */
export interface TokenWays {
  /** How the client proves itself; `fixed`: not at all, for no token is given. */
  readonly client: "headerOrBody" | "header" | "body" | "certificate" | "fixed"
  readonly content: "formOrJson" | "form" | "json"
  /** Whether a scope may, must or must not be named. */
  readonly scope: "optional" | "required" | "refused"
  /** The scopes that it knows, where it refuses any other. */
  readonly scopes?: ReadonlyArray<string>
  /** Must be in the query of the token's URL. */
  readonly query: Readonly<Record<string, string>>
  /** Must be among its headers. */
  readonly headers?: Readonly<Record<string, "freshUuid" | { readonly exactly: string }>>
}

/** How this bank behaves where banks differ; may be changed while it runs. */
export interface BankWays {
  /** The names of its servers, without a port; any by default. */
  hosts?: { readonly api: string; readonly token: string }
  /** Whether callers must have a certificate, where it listens with TLS; not to be changed while it runs. */
  certificate: "required" | "none"
  /** Where the API begins. */
  apiRoot: string
  /** Other roots for some calls, by method and first part of the path, like `PATCH cob`. */
  apiRoots: Readonly<Record<string, string>>
  tokenPath: string
  token: TokenWays
  /** What every call of the API must carry, by name. */
  wants: {
    readonly headers: Readonly<Record<string, Wanted>>
    readonly query: Readonly<Record<string, Wanted>>
  }
  /** The status for a token that is no longer good. */
  deadToken: BankAnswer
  /** The kinds of charges that it has. */
  kinds: ReadonlyArray<"cob" | "cobv">
  /** As what it reads the period of a list, which says UTC: as that, as Brasília's time, or as each (a payment must be in both). */
  listsBy: "utc" | "brasilia" | "each"
  /** Whether a list of payments of this period isn't given. */
  refusesPeriod?: (from: number, to: number) => boolean
  /** Whether a list may be asked for beyond the bank's now. */
  listsTheFuture: boolean
  /** Lists of the payments of a txid have all of the period. */
  ignoresTxid: boolean
  /** The number of the first page of a list; page 0 is page 1 where that is the first, unless it is refused. */
  firstPage: 0 | 1
  /** What a list says of its pages: what is right, one less where the last is not full, none, or as if this page were all. */
  pageCounts: "right" | "roundedDown" | "none" | "ofThisPage"
  /** Most payments on one page of a list. */
  pageSize: number
  /** How long after it was made a payment comes into the list, in milliseconds. */
  listsAfterMs: number
  /** What comes for a page that there isn't. */
  pagesBeyond: "empty" | "refused" | "lastPage"
  /** How far the creation of charges (`criacao`) is ahead of the bank's clock, in milliseconds. */
  creationAheadMs: number
  /** What is asked of a webhook's address when it is registered: a refusal, or undefined if all is well. */
  probeWebhook?: (url: string, registration: BankRequest) => Promise<BankAnswer | undefined>
  /** Whether telephone keys stand in the path of a webhook without their `+`. */
  webhookKeys: "asIs" | "withoutPlus"
  /** What is put after a webhook's URL when it is called. */
  noticeSuffix: "/pix" | ""
  /** What a webhook is called with, made of the standard's body. */
  noticeBody?: (body: unknown) => unknown
  /** The answer as this bank writes it, made of the standard's. */
  reshape?: (answer: BankAnswer, call: BankRequest) => BankAnswer
  /** The same of the token endpoint's answer. */
  reshapeToken?: (answer: BankAnswer) => BankAnswer
  /** What a second `PUT` of an active charge does. */
  putOnExisting: "alters" | "refuses"
  /** What a second `PUT` of a return under the same id does. */
  repeatedReturn: "refuses" | "repeats"
  /** What a `PUT` of a webhook does where one is registered. */
  putOnWebhook: "replaces" | "refuses"
  /** When a return is settled; `manual`: when the test has it so. */
  returnPace: "atOnce" | "onNextLook" | "manual"
  /** How a charge shows its copy-and-paste code; `ownCall`: not at all, but below the charge, at `/qrcode`. */
  code: "given" | "locationOnly" | "nothing" | "broken" | "ofAnother" | "static" | "ownCall"
  /** Numbers come as text. */
  numbersAsText: boolean
  /** A list of one comes as its element. */
  loneObjects: boolean
  /** Absent fields come as null. */
  nulls: boolean
  /** Control characters in texts come as they are, which is no JSON. */
  rawControls: boolean
  /** How the bodies of answers are encoded, though nobody asked for it: the first of them first. */
  contentCodings: ReadonlyArray<"gzip" | "x-gzip" | "deflate" | "deflateRaw" | "br">
  /** Notices name their key. */
  keyInNotices: boolean
  /** Charges show their payer (`devedor`). */
  payersInCharges: boolean
  /** Charges show the payments that were made for them. */
  paymentsInCharges: boolean
  /** How many notices are sent for each payment. */
  noticeCopies: number
  /** Milliseconds before a notice is sent. */
  noticeDelayMs: number
  tokenLifetimeSeconds: number
}

/** API Pix as the standard prescribes it; where it leaves a choice, the stricter way. */
export const standardWays = (): BankWays => ({
  certificate: "required",
  apiRoot: "/api/v2",
  apiRoots: {},
  tokenPath: "/oauth/token",
  token: { client: "headerOrBody", content: "formOrJson", scope: "optional", query: {} },
  wants: { headers: {}, query: {} },
  deadToken: { status: 401, body: { error: "invalid_token" } },
  kinds: ["cob", "cobv"],
  listsBy: "utc",
  listsTheFuture: false,
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

/** The ways of a bank as it publishes them: of its production, and of its sandbox if it has one. */
export interface PublishedWays {
  readonly production: Partial<BankWays>
  readonly sandbox?: Partial<BankWays>
}

/** What the simulated bank is started with. */
export interface BankOptions {
  readonly accounts: ReadonlyArray<BankAccount>
  /** HTTPS with client certificates of this authority (mTLS); plain HTTP without it. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca: string }
  readonly ways?: Partial<BankWays>
  /** Epoch milliseconds. */
  readonly now?: () => number
}
