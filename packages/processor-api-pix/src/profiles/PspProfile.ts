import type { Endpoint } from "../wire/paths.ts"

export const credentialNames = ["clientId", "clientSecret", "applicationKey", "account", "token"] as const

export type CredentialName = (typeof credentialNames)[number]

/**
 * A fixed text, a credential or a fresh UUID for each call. A credential is required unless it `isOptional`, or another
 * credential replaces it (`otherwise`).
 */
export type PspValue =
  | string
  | { readonly from: CredentialName; readonly isOptional?: true; readonly otherwise?: CredentialName }
  | { readonly fresh: "uuid" }

/** Fields of Pix Automático that are optional in API Pix and that some banks demand. */
export const recurrenceDemands = ["receiverBranch", "payerBranch", "amount"] as const

/** The settings that differ between banks, and between some banks' production and sandbox. */
export interface PspWays {
  /** Path of the API below the server's address, like `/api/v2`. */
  readonly apiPath: string
  /** Other paths for some calls, or URLs at other hosts, called with the same token and certificate. */
  readonly apiPaths: Readonly<Partial<Record<Endpoint, string>>>
  /** Path of the token endpoint. */
  readonly tokenPath: string
  /** Further paths of the token endpoint, tried in order after a 404. */
  readonly otherTokenPaths: ReadonlyArray<string>
  /** The URL of a token endpoint on another server; replaces the paths. */
  readonly tokenUrl?: string
  /**
   * How the client proves itself to the token endpoint: by its secret in a header (`basic`) or in the body (`body`, RFC 6749
   * §2.3.1), or by its certificate alone (RFC 8705 §2). With `fixedToken` the connection gives a `token`. With `headers` the
   * bank has no tokens, and headers prove each call.
   */
  readonly clientAuthentication: "basic" | "body" | "certificate" | "fixedToken" | "headers"
  readonly tokenBody: "form" | "json"
  /** Fields of the token request that the bank wants in the query, not in the body. */
  readonly tokenQuery: Readonly<Record<string, PspValue>>
  /** Headers of the token request. */
  readonly tokenHeaders: Readonly<Record<string, PspValue>>
  /** The token's scopes, separated by spaces; omitted if empty. */
  readonly scope: string
  /** Whether the bank wants our certificate (mTLS). Some homologation servers want no certificate. */
  readonly certificate: "required" | "none"
  /** Headers of every API call. */
  readonly headers: Readonly<Record<string, PspValue>>
  /** Query parameters of every API call. */
  readonly query: Readonly<Record<string, PspValue>>
  /**
   * The effect of a second `PUT` of an active charge. If the `PUT` `alters` the charge, as the central bank's
   * specification allows, we look the charge up before each `PUT`. If the bank `refuses` the `PUT`, we look the charge
   * up after the refusal.
   */
  readonly putOnExisting: "alters" | "refuses"
  /** Whether an open charge's terms can be changed. If they can't, a change is refused before any call. */
  readonly changes: "offered" | "missing"
  /** Further field names of the copy-and-paste code. */
  readonly codeFields: ReadonlyArray<string>
  /** Whether the charge contains the code, or a separate call (`/qrcode`) returns it. */
  readonly codeFrom: "charge" | "codeCall"
  /**
   * Whether the code points to the charge's location. With `other`, we can't check that the code belongs to the charge.
   */
  readonly codeLocation: "same" | "other"
  /** Whether a return is sent with its reason (`descricao`), or `leftOut` because the bank accepts only the amount. */
  readonly returnReason: "sent" | "leftOut"
  /** Whether the bank has due-date charges. If it doesn't, they are refused before any call. */
  readonly dueDateCharges: "offered" | "missing"
  /**
   * Whether the bank has Pix Automático at API Pix's paths. With `withDebtor`, it has it, and demands an empty
   * `devedor` in a cycle's charge.
   */
  readonly recurrences: "offered" | "withDebtor" | "missing"
  /**
   * The optional fields of a recurrence that the bank demands: the branch of the company's account (in each cycle's
   * charge), the branch of the payer's account (in a request to the payer's bank), and an amount or its floor.
   */
  readonly recurrenceDemands: ReadonlyArray<(typeof recurrenceDemands)[number]>
  /** The zone of instants that are written without a zone. */
  readonly zonelessInstants: "utc" | "brasilia"
  /**
   * Calls whose answers write Brasília's time with the mark `Z` of UTC. An instant that would be in the future as
   * Brasília's time is read as UTC.
   */
  readonly localInstants: ReadonlyArray<Endpoint>
  /** Kinds of refusals (`PspRefusal.kind`) that mean a missing resource, like 404. */
  readonly absentKinds: ReadonlyArray<string>
  /** Refusals that mean an invalid token, like 401: a status, and a part of the answer in upper or lower case. */
  readonly tokenRefusals: ReadonlyArray<{ readonly status: number; readonly says: string }>
  /** The answer to an empty list: a page, or a 404. */
  readonly emptyList: "page" | "missing"
  /** The longest period of a list: any, a number of 24-hour days, or one calendar month in both Brasília's time and UTC. */
  readonly listPeriod: "any" | "month" | { readonly days: number }
  /** Limits of calls to the bank per minute. Each process counts only its own calls. */
  readonly pace: BankPace
  /** Payments per page of a list. */
  readonly pageSize: number
  /** The number of a list's first page. */
  readonly firstPage: 0 | 1
  /** The form of a telephone number as Pix key in the path of its webhook. */
  readonly webhookKey: "asIs" | "withoutPlus"
  /** Appended to the webhook's URL. */
  readonly webhookSuffix: string
  /** Headers of the webhook's registration with `skipWebhookMtls`; empty if the bank has no such choice. */
  readonly skipWebhookMtlsHeaders: Readonly<Record<string, string>>
}

/** A bank's server, and its own settings in place of the profile's. */
export interface PspStage extends Partial<PspWays> {
  /** The server without the API's path, like `https://pix.example.com`. */
  readonly baseUrl: string
}

/** A bank's differences from the standard, as data. `docs/bank-profiles.md` explains how to write a profile. */
export interface PspProfile extends PspWays {
  /** Absent if the connection must give the address. */
  readonly production?: PspStage
  readonly sandbox?: PspStage
}

/** A profile of a known bank, with its sources. */
export interface KnownProfile extends PspProfile {
  /** The bank's display name. */
  readonly bank: string
  /** The sources, each with the day when we read it. */
  readonly sources: ReadonlyArray<{ readonly url: string; readonly readOn: string }>
}

/** An API call or a token request. */
export type PacedCall = Endpoint | "token"

/** A limit of calls per minute. */
export interface PaceLimit {
  readonly perMinute: number
  /** The counted calls. Default: all. */
  readonly calls?: ReadonlyArray<PacedCall>
  /** Whether these calls share the limit (`together`, the default) or `each` has its own. */
  readonly counted?: "together" | "each"
}

/** Limits of calls to a bank. */
export interface BankPace {
  readonly limits: ReadonlyArray<PaceLimit>
  /** The pause after a 429 without `Retry-After`, in milliseconds. Default: 1000. */
  readonly pauseMs?: number
}

/** API Pix 2.10.0 to the letter. The connection gives the bank's address. */
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
  changes: "offered",
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

/** Gives all calls of Pix Automático the same path or URL, apart from the other calls. */
export const recurringAt = (root: string): PspWays["apiPaths"] =>
  Object.fromEntries(recurringCalls.map((call) => [call, root]))
