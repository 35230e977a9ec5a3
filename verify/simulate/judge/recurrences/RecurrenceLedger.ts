import type { Terms } from "./calendar.ts"

/** An authorisation at the bank. Moments are epoch milliseconds, days are `YYYY-MM-DD`. */
export interface Rec extends Terms {
  readonly id: string
  readonly issuer: string
  readonly contract: string
  readonly amountCents?: number
  readonly mayRetry: boolean
  /** The txid of the charge whose payment authorises it. */
  readonly paysTxid?: string
  status: "offered" | "approved" | "declined" | "expired" | "cancelled"
  /** When it got its status. */
  at: number
  approvedAt?: number
  by?: "payer" | "company"
}

/** An order to debit. */
export interface RecAttempt {
  readonly kind: "first" | "retry"
  readonly on: string
  readonly endToEndId: string
  status: "requested" | "scheduled" | "paid" | "rejected" | "expired" | "cancelled"
  code?: string
  /** When it debited. */
  paidAt?: number
}

/** The charge of a cycle at the bank. */
export interface Cobr {
  readonly txid: string
  readonly rec: Rec
  readonly amountCents: number
  readonly dueDate: string
  readonly settlesOn: string
  readonly madeAt: number
  status: "active" | "completed" | "rejected" | "expired" | "cancelled"
  by?: "payer" | "company"
  endedAt?: number
  readonly attempts: Array<RecAttempt>
}

/** Money that arrived, and what went back of it. */
export interface Pix {
  readonly endToEndId: string
  readonly issuer: string
  readonly txid: string
  readonly amountCents: number
  readonly paidAt: number
  readonly returns: Array<{ readonly id: string; readonly amountCents: number; readonly returnedAt: number }>
}

/** A call that the bank got: why it refused it, if it did. */
export interface BankOrder {
  readonly kind: "offer" | "end" | "charge" | "cancel" | "retry"
  /** The contract, the rec or the txid. */
  readonly about: string
  /** The day that was asked for. */
  readonly on?: string
  /** For which rec a cycle is charged. */
  readonly recId?: string
  readonly sentAt: number
  readonly at: number
  readonly refusal?: string
}

/** All that the bank knows. */
export interface RecurrenceLedger {
  readonly recs: ReadonlyMap<string, Rec>
  readonly cobrs: ReadonlyMap<string, Cobr>
  readonly payments: ReadonlyMap<string, Pix>
  readonly orders: ReadonlyArray<BankOrder>
}
