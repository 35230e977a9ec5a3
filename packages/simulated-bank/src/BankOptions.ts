/** A company with an account at the bank. */
export interface BankAccount {
  readonly cnpj: string
  readonly name: string
  readonly pixKeys: ReadonlyArray<string>
  /** The client certificate must carry it as its common name, where the bank listens with TLS. */
  readonly clientId: string
  readonly clientSecret: string
  /** What its tokens may do; everything by default. */
  readonly scopes?: ReadonlyArray<string>
}

/** How this bank behaves where banks differ; may be changed while it runs. */
export interface BankWays {
  /** What a second `PUT` of an active charge does. */
  putOnExisting: "alters" | "refuses"
  /** What a second `PUT` of a return under the same id does. */
  repeatedReturn: "refuses" | "repeats"
  /** What a `PUT` of a webhook does where one is registered. */
  putOnWebhook: "replaces" | "refuses"
  /** When a return is settled. */
  returnPace: "atOnce" | "onNextLook" | "manual"
  /** How a charge shows its copy-and-paste code. */
  code: "given" | "locationOnly" | "nothing" | "broken" | "ofAnother" | "static"
  /** Numbers come as text. */
  numbersAsText: boolean
  /** A list of one comes as its element. */
  loneObjects: boolean
  /** Absent fields come as null. */
  nulls: boolean
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
  putOnExisting: "alters",
  repeatedReturn: "refuses",
  putOnWebhook: "replaces",
  returnPace: "onNextLook",
  code: "given",
  numbersAsText: false,
  loneObjects: false,
  nulls: false,
  keyInNotices: true,
  payersInCharges: true,
  paymentsInCharges: true,
  noticeCopies: 1,
  noticeDelayMs: 0,
  tokenLifetimeSeconds: 3600,
})

/** What the simulated bank is started with. */
export interface BankOptions {
  readonly accounts: ReadonlyArray<BankAccount>
  /** HTTPS with client certificates of this authority (mTLS); plain HTTP without it. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca: string }
  readonly ways?: Partial<BankWays>
  /** Most payments on one page of a list. */
  readonly pageSize?: number
  /** Epoch milliseconds. */
  readonly now?: () => number
}
