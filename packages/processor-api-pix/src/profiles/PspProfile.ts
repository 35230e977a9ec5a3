import type { Endpoint } from "../wire/paths.ts"

export const credentialNames = ["clientId", "clientSecret", "applicationKey", "account", "token"] as const

/** What a connection gives beside its address; a profile says where the bank wants it. */
export type CredentialName = (typeof credentialNames)[number]

/**
 * What a header or a part of a query holds: a text, always the same; a credential of the connection, which must give it
 * unless it `isOptional` or another stands in for it (`otherwise`); or a fresh UUID for each call.
 */
export type PspValue =
  | string
  | { readonly from: CredentialName; readonly isOptional?: true; readonly otherwise?: CredentialName }
  | { readonly fresh: "uuid" }

/** What API Pix leaves optional in Pix Automático, and some banks demand. */
export const recurrenceDemands = ["receiverBranch", "payerBranch", "amount"] as const

/** What differs from bank to bank, and at some banks from production to sandbox. */
export interface PspWays {
  /** Path of the API below the server's address, like `/api/v2`. */
  readonly apiPath: string
  /** Another path for some calls, or a whole URL at another host: those bring the same token and certificate. */
  readonly apiPaths: Readonly<Partial<Record<Endpoint, string>>>
  /** Path of the token endpoint below the server's address. */
  readonly tokenPath: string
  /** Further paths of the token endpoint, asked one after the other where the one before is 404; the one that worked is kept. */
  readonly otherTokenPaths: ReadonlyArray<string>
  /** The token endpoint where it is on another server; no path of it counts then. */
  readonly tokenUrl?: string
  /**
   * How the client proves itself to the token endpoint: its secret in a header or within the body (RFC 6749 §2.3.1), no
   * secret at all beside its certificate (RFC 8705 §2), or not at all, because the connection gives a `token`, or because the
   * bank has none: `headers` prove each call then.
   */
  readonly clientAuthentication: "basic" | "body" | "certificate" | "fixedToken" | "headers"
  readonly tokenBody: "form" | "json"
  /** Parts of the token request that the bank wants in the query; its body leaves those of the same name out. */
  readonly tokenQuery: Readonly<Record<string, PspValue>>
  /** Sent with the token request alone. */
  readonly tokenHeaders: Readonly<Record<string, PspValue>>
  /** The scopes of the token, separated by spaces; empty leaves the field out. */
  readonly scope: string
  /** Whether the bank wants our certificate (mTLS); a homologation may do without. */
  readonly certificate: "required" | "none"
  /** Sent with every call of the API. */
  readonly headers: Readonly<Record<string, PspValue>>
  /** Appended to the URL of every call of the API. */
  readonly query: Readonly<Record<string, PspValue>>
  /**
   * What a second `PUT` of an active charge does: `alters` it, as the central bank's text allows, so that we look before
   * we put; or it is refused (`refuses`), so that we put at once and look only after a refusal.
   */
  readonly putOnExisting: "alters" | "refuses"
  /** Further names under which the bank gives the copy-and-paste code. */
  readonly codeFields: ReadonlyArray<string>
  /** Whether the code is in the charge or has a call of its own, below the charge (`/qrcode`). */
  readonly codeFrom: "charge" | "codeCall"
  /** Whether the code points to the charge's location. Where it doesn't, nothing shows that it is this charge's. */
  readonly codeLocation: "same" | "other"
  /** Whether a return is sent with its reason (`descricao`); `leftOut` where the bank refuses all but the amount. */
  readonly returnReason: "sent" | "leftOut"
  /** Whether the bank has due-date charges; one is refused before any call where it hasn't. */
  readonly dueDateCharges: "offered" | "missing"
  /**
   * Whether the bank is known to have Pix Automático, by the paths of API Pix; `withDebtor` where it wants an empty `devedor` in a
   * cycle's charge.
   */
  readonly recurrences: "offered" | "withDebtor" | "missing"
  /**
   * What a recurrence can't lack: the branch of the company's account (in each cycle's charge), that of the payer's (in a request
   * to the payer's bank), and an amount or its floor.
   */
  readonly recurrenceDemands: ReadonlyArray<(typeof recurrenceDemands)[number]>
  /** What an instant without a zone is in. */
  readonly zonelessInstants: "utc" | "brasilia"
  /** Calls whose answers have Brasília's time marked `Z`, but where that would be in the future. */
  readonly localInstants: ReadonlyArray<Endpoint>
  /** Kinds of refusals (`PspRefusal.kind`) that say "not there" as 404 does. */
  readonly absentKinds: ReadonlyArray<string>
  /** Refusals that mean the token, as 401 does: their status, and a part of what they say, in any case. */
  readonly tokenRefusals: ReadonlyArray<{ readonly status: number; readonly says: string }>
  /** What the bank answers where a list is empty: a page, or that it isn't there (404). */
  readonly emptyList: "page" | "missing"
  /** The longest period of a list: any, days of 24 hours, or within a month of Brasília's calendar and of UTC's. */
  readonly listPeriod: "any" | "month" | { readonly days: number }
  /** How many calls it takes in a minute. Several processes share that: each keeps it for itself. */
  readonly pace: BankPace
  /** Payments on a page of a list. */
  readonly pageSize: number
  /** The number of the first page of a list. */
  readonly firstPage: 0 | 1
  /** How a telephone number is written in the path of its webhook. */
  readonly webhookKey: "asIs" | "withoutPlus"
  /** Put after the webhook's URL, where the bank says so. */
  readonly webhookSuffix: string
  /** Sent with the webhook's registration where the connection has `skipWebhookMtls`; empty where the bank knows no such thing. */
  readonly skipWebhookMtlsHeaders: Readonly<Record<string, string>>
}

/** Where a bank is reached, and what is otherwise there than in the rest of the profile. */
export interface PspStage extends Partial<PspWays> {
  /** The bank's server without the API's path, like `https://pix.example.com`. */
  readonly baseUrl: string
}

/**
 * How a bank differs from the standard, as data. Most banks work with `standardProfile`; `docs/api-pix.md` says how to
 * write a profile.
 */
export interface PspProfile extends PspWays {
  /** Absent where the connection must say. */
  readonly production?: PspStage
  readonly sandbox?: PspStage
}

/** A profile of a bank that we know, with what shows that it is right. */
export interface KnownProfile extends PspProfile {
  /** The bank's name, for people. */
  readonly bank: string
  /** Where it was read, and on which day. */
  readonly sources: ReadonlyArray<{ readonly url: string; readonly readOn: string }>
}

/** A call as a limit counts it: of the API, or for a token. */
export type PacedCall = Endpoint | "token"

/** How many calls a bank takes in a minute. */
export interface PaceLimit {
  readonly perMinute: number
  /** Which calls it counts; all, where left out. */
  readonly calls?: ReadonlyArray<PacedCall>
  /** Whether those calls are counted `together`, which is the default, or `each` by itself. */
  readonly counted?: "together" | "each"
}

/** The pace at which a bank may be called. */
export interface BankPace {
  readonly limits: ReadonlyArray<PaceLimit>
  /** How long to pause after a 429 that names no time, in milliseconds. Default: 1000. */
  readonly pauseMs?: number
}

/** API Pix 2.10.0 to the letter. A connection says where its bank is. */
export const standardProfile: PspProfile = {
  apiPath: "/api/v2",
  apiPaths: {},
  tokenPath: "/oauth/token",
  otherTokenPaths: [],
  clientAuthentication: "basic",
  tokenBody: "form",
  tokenQuery: {},
  tokenHeaders: {},
  scope: "cob.write cob.read cobv.write cobv.read pix.write pix.read webhook.write webhook.read",
  certificate: "required",
  headers: {},
  query: {},
  putOnExisting: "alters",
  codeFields: [],
  codeFrom: "charge",
  codeLocation: "same",
  returnReason: "sent",
  dueDateCharges: "offered",
  recurrences: "offered",
  recurrenceDemands: [],
  zonelessInstants: "utc",
  localInstants: [],
  absentKinds: [],
  tokenRefusals: [],
  emptyList: "page",
  listPeriod: "any",
  pace: { limits: [] },
  pageSize: 100,
  firstPage: 0,
  webhookKey: "asIs",
  webhookSuffix: "",
  skipWebhookMtlsHeaders: {},
}

/** The standard as one of the known profiles. */
export const standard: KnownProfile = {
  ...standardProfile,
  bank: "Any other",
  sources: [{ url: "https://github.com/bacen/pix-api", readOn: "2026-11-22" }],
}

const recurringCalls: ReadonlyArray<Endpoint> = [
  "POST recurrenceLocations",
  "POST recurrences",
  "GET recurrences",
  "GET recurrence",
  "PATCH recurrence",
  "POST recurrenceRequests",
  "PUT cycle",
  "GET cycle",
  "PATCH cycle",
  "POST retry",
  "PUT recurrenceWebhook",
  "GET recurrenceWebhook",
  "DELETE recurrenceWebhook",
  "PUT cycleWebhook",
  "GET cycleWebhook",
  "DELETE cycleWebhook",
]

/** All calls of Pix Automático at another path or URL. */
export const recurringAt = (root: string): PspWays["apiPaths"] =>
  Object.fromEntries(recurringCalls.map((call) => [call, root]))
