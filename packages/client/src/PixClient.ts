/** A request for a charge. */
export interface ChargeRequest {
  /** A new UUID for each charge. A repeated call with the same UUID returns the same charge. */
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
  /** The service's id of the transaction. */
  readonly transactionId: string
  /** The copy-and-paste code, to show as a QR code. */
  readonly brCode: string
  /** The time until which a payment is promised to work, in epoch milliseconds. */
  readonly payableUntil: number
}

/** How a charge was paid. */
export interface Payment {
  readonly transactionId: string
  /** The amount paid, in integer cents, including late fees. */
  readonly amountCents: number
  /** The time of the payment, in epoch milliseconds. */
  readonly paidAt: number
  /** The time at which the service recorded the payment, in epoch milliseconds. */
  readonly recordedAt: number
  /** The payer's receipt: several lines of text. */
  readonly customerReceipt: string
  /** The company's receipt. */
  readonly merchantReceipt: string
}

/** Why a charge isn't paid. The money of a `refunding` charge is on its way back; the money of a `refunded` charge is back. */
export type UnpaidState = "pending" | "expired" | "cancelled" | "refunding" | "refunded"

/** A charge's state. Hand out the goods only in the state `paid`. */
export type ChargeStatus = ({ readonly state: "paid" } & Payment) | { readonly state: UnpaidState }

/** The return of a whole payment. While it is `refunding`, repeat the call to get the result. */
export type Refund = { readonly transactionId: string; readonly amountCents: number } & (
  | { readonly state: "refunded"; readonly refundedAt: number }
  | { readonly state: "refunding"; readonly requestedAt: number }
)

/** The options of every call. */
export interface CallOptions {
  /** Ends the call with its retries and waits; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The options of a wait. An issued charge can be passed as options: `waitUntilPaid(charge.id, charge)`. */
export interface WaitOptions extends CallOptions {
  /** The time until which the charge can be paid, in epoch milliseconds, from the result of `issue`. */
  readonly payableUntil?: number
}

/**
 * The operations of the service as one company. Every call can be repeated without harm.
 *
 * The client retries if no answer comes, and after 429, 502, 503 and 504, as often as `retries` says. A failure rejects with a
 * `PixClientError`.
 */
export interface PixClient {
  /** Issues a charge. The same request returns the same charge. */
  readonly issue: (request: ChargeRequest, options?: CallOptions) => Promise<IssuedCharge>
  /** Returns a charge's state. */
  readonly status: (id: string, options?: CallOptions) => Promise<ChargeStatus>
  /**
   * Waits for the payment: queries every second at first, then less often, at least every 30 s. Transient failures don't end the
   * wait. Rejects with the 410 or 409 of a charge that can no longer be paid.
   */
  readonly waitUntilPaid: (id: string, options?: WaitOptions) => Promise<Payment>
  /** Refunds a paid charge's whole payment. Repeated calls refund it once. */
  readonly refund: (id: string, options?: CallOptions) => Promise<Refund>
  /** Pays a charge as its payer would. Works only in the sandbox. */
  readonly simulatePayment: (id: string, options?: CallOptions) => Promise<void>
}
