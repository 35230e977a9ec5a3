import {
  aFlag,
  aFunction,
  anObject,
  aNumber,
  aText,
  CausedError,
  oneOf,
  type OptionRule,
  type OptionRules,
  required,
} from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { PspProfile } from "../profiles/PspProfile.ts"
import type { ProfileName } from "../profiles/pspProfiles.ts"
import type { ReceivingAccount } from "../wire/bodies.ts"
import type { Fetch, TlsIdentity } from "./transports.ts"

export type StageName = "production" | "sandbox"

interface ConnectionOptions {
  /** The bank's name, which selects its addresses and its differences from the standard. Default: the standard to the letter. */
  readonly psp?: ProfileName
  /** A profile of your own, in place of `psp`. */
  readonly profile?: PspProfile
  /** Which of the bank's servers to call. Default: `"production"`. */
  readonly stage?: StageName
  /** The bank's server without the API's path, like `https://pix.example.com`. Default: the profile's. */
  readonly baseUrl?: string
  /** The URL of the token endpoint. Default: the profile's. */
  readonly tokenUrl?: string
  /** The client id of your application at the bank. */
  readonly clientId: string
  /** The client's secret. Omit it if the bank wants no secret: see `clientAuthentication` of its profile. */
  readonly clientSecret?: string | Redacted.Redacted<string>
  /** The key of your application, at banks that issue one beside the client id. */
  readonly applicationKey?: string
  /** The account's number, at banks that demand it. */
  readonly account?: string
  /** The account that receives debits of Pix Automático; only recurrences need it. Adds their scopes to token requests. */
  readonly receivingAccount?: ReceivingAccount
  /** The token itself, at a bank whose sandbox has one fixed token. */
  readonly token?: string | Redacted.Redacted<string>
  /** Makes the bank call the webhook without a client certificate, at banks that offer this. */
  readonly skipWebhookMtls?: boolean
  /** Headers of every call, token requests included. */
  readonly headers?: Readonly<Record<string, string>>
  /** Query parameters of every call, token requests included. */
  readonly query?: Readonly<Record<string, string>>
  /**
   * Whether a txid belongs to another system on the same account (BolePix, an old integration). Its payments are skipped. The
   * txid of one of our charges never counts as foreign.
   */
  readonly isForeignTxid?: (txid: string) => boolean
  /** Timeout of one attempt in milliseconds. A call with its retries takes at most 2.5 times as long. Default: 8000. */
  readonly timeoutMs?: number
}

type Not<K extends string> = { readonly [Key in K]?: never }

/**
 * A company's access to its bank, with its own certificate and key (mTLS) or a `fetch` that has them. `identity` is called
 * again every minute, so a renewed certificate needs no restart.
 */
export type ApiPixConnection = ConnectionOptions &
  (
    | (TlsIdentity & Not<"identity" | "fetch">)
    | ({ readonly identity: () => TlsIdentity } & Not<keyof TlsIdentity | "fetch">)
    | ({ readonly fetch: Fetch } & Not<"cert" | "key" | "pfx" | "identity">)
  )

/**
 * A connection or a webhook that can't work. The message says why and contains no secret.
 *
 * @remedy Correct the option that the message names.
 * @repeat No, only with corrected options.
 */
export class ApiPixMisconfigured extends CausedError("ApiPixMisconfigured")<{
  /** The company's CNPJ, if the fault is one company's. */
  readonly company?: string
  readonly message: string
  readonly cause?: unknown
}> {}

const fields = new Set(["branch", "number", "kind"])

const matches = (form: RegExp, value: unknown): boolean => typeof value === "string" && form.test(value)

const aReceivingAccount: OptionRule = {
  mustBe:
    '{ branch, number, kind }: one to four digits or left out, 1 to 20 letters and digits, "checking", "savings" or "payment"',
  holds: (value) =>
    Predicate.isObject(value) &&
    Object.keys(value).every((name) => fields.has(name)) &&
    (value["branch"] === undefined || matches(/^\d{1,4}$/, value["branch"])) &&
    matches(/^[0-9A-Za-z]{1,20}$/, value["number"]) &&
    matches(/^(?:checking|savings|payment)$/, value["kind"]),
}

const aSecret: OptionRule = {
  mustBe: "a string, or Redacted",
  holds: (value) => typeof value === "string" || Redacted.isRedacted(value),
}

// Stryker disable next-line StringLiteral: the rule always holds, so its text is never shown
const together: OptionRule = { mustBe: "as the others need it", holds: () => true }

export const rules: OptionRules<ApiPixConnection> = {
  psp: { mustBe: "the name of a bank", holds: (value) => typeof value === "string" },
  profile: { ...anObject, mustBe: "a profile of your own; name a known bank by psp" },
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
