/** What to charge. */
export interface ChargeRequest {
  /** A UUID of the caller's own, new for each charge: by it a repeated call finds the charge that it made. */
  readonly id: string
  /** Integer cents. */
  readonly amountCents: number
  /** `YYYY-MM-DD` in Brasília. Without it the charge is immediate. */
  readonly dueDate?: string
  /** `taxId` is a CPF or CNPJ, with or without punctuation. */
  readonly payer?: { readonly name: string; readonly taxId: string }
}

/** A charge that can be paid. */
export interface IssuedCharge {
  readonly id: string
  /** The service's own id of the transaction. */
  readonly transactionId: string
  /** The copy-and-paste code, to be shown as a QR code. */
  readonly brCode: string
  /** Until when payment is promised to work, in epoch milliseconds. */
  readonly payableUntil: number
}

/** How a charge was paid. */
export interface Payment {
  readonly transactionId: string
  /** What was paid, in integer cents, late fees included. */
  readonly amountCents: number
  /** When the payer paid, in epoch milliseconds. */
  readonly paidAt: number
  /** When the service learned of it, in epoch milliseconds. */
  readonly recordedAt: number
  /** The payer's receipt: several lines of text. */
  readonly customerReceipt: string
  /** The company's receipt. */
  readonly merchantReceipt: string
}

/** Why a charge isn't paid; money of a `refunding` or `refunded` one goes or went back. */
export type UnpaidState = "pending" | "expired" | "cancelled" | "refunding" | "refunded"

/** Where a charge stands. Hand out the goods when it is `paid`, and only then. */
export type ChargeStatus = ({ readonly state: "paid" } & Payment) | { readonly state: UnpaidState }

/** The return of a whole payment; while it is `refunding` the bank works on it: ask again by the same call. */
export type Refund = { readonly transactionId: string; readonly amountCents: number } & (
  | { readonly state: "refunded"; readonly refundedAt: number }
  | { readonly state: "refunding"; readonly requestedAt: number }
)

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its retries and its waits; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** What a wait takes: `waitUntilPaid(charge.id, charge)` names both. */
export interface WaitOptions extends CallOptions {
  /** Until when the charge can be paid, in epoch milliseconds, as `issue` says it. */
  readonly payableUntil?: number
}

/**
 * The operations of the service as one company. Each may be repeated without harm, and is: when no answer comes, and on
 * 429, 502, 503 and 504, as often as the options say. A failure rejects with a `PixClientError`.
 */
export interface PixClient {
  /** Issues a charge; the same request again gives the same charge. */
  readonly issue: (request: ChargeRequest, options?: CallOptions) => Promise<IssuedCharge>
  /** Says where a charge stands. */
  readonly status: (id: string, options?: CallOptions) => Promise<ChargeStatus>
  /**
   * Waits for the payment: asks every second at first and then more seldom, every 30 s at most. Outages and refusals that
   * pass don't end the wait. Rejects with the 410 or 409 of a charge that can't be paid any more.
   */
  readonly waitUntilPaid: (id: string, options?: WaitOptions) => Promise<Payment>
  /** Returns the whole payment of a paid charge; never twice, however often it is called. */
  readonly refund: (id: string, options?: CallOptions) => Promise<Refund>
  /** Pays a charge as its payer would; in the sandbox only. */
  readonly simulatePayment: (id: string, options?: CallOptions) => Promise<void>
}
