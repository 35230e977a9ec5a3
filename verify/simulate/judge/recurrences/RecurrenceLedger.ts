import type { Terms } from "./calendar.ts"

/** An authorisation at the bank. Times are epoch milliseconds, days are `YYYY-MM-DD`. */
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

export interface RecAttempt {
  readonly kind: "first" | "retry"
  readonly on: string
  readonly endToEndId: string
  status: "requested" | "scheduled" | "paid" | "rejected" | "expired" | "cancelled"
  code?: string
  /** When it was debited. */
  paidAt?: number
}

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

/** A received payment with its returned amount. */
export interface Pix {
  readonly endToEndId: string
  readonly issuer: string
  readonly txid: string
  readonly amountCents: number
  readonly paidAt: number
  readonly returns: Array<{ readonly id: string; readonly amountCents: number; readonly returnedAt: number }>
}

export interface BankOrder {
  readonly kind: "offer" | "end" | "charge" | "cancel" | "retry"
  /** The contract, the rec or the txid. */
  readonly about: string
  readonly on?: string
  readonly recId?: string
  readonly sentAt: number
  readonly at: number
  readonly refusal?: string
}

export interface RecurrenceLedger {
  readonly recs: ReadonlyMap<string, Rec>
  readonly cobrs: ReadonlyMap<string, Cobr>
  readonly payments: ReadonlyMap<string, Pix>
  readonly orders: ReadonlyArray<BankOrder>
}
