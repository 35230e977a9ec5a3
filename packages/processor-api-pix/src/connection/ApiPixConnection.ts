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

const fields = new Set(["branch", "number", "kind"])

const matches = (form: RegExp, value: unknown): boolean => typeof value === "string" && form.test(value)

/** An account as the bank can find it. */
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

/** May be empty here: `findFlaw` sees whether the bank wants it. */
const aSecret: OptionRule = {
  mustBe: "a text, or Redacted",
  holds: (value) => typeof value === "string" || Redacted.isRedacted(value),
}

/** Some hold with others only: `findFlaw` sees them together. */
// Stryker disable next-line StringLiteral: it always holds, so nobody is told
const together: OptionRule = { mustBe: "as the others need it", holds: () => true }

export const rules: OptionRules<ApiPixConnection> = {
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
