import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, Payment, Return } from "@pixcharge/core/charges"
import type { Recurrence } from "@pixcharge/core/recurrence"
import type { Terms } from "./calendar.ts"
import type { Receipt } from "../Evidence.ts"

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

/** A client's call with its result, if it has one. Times are epoch milliseconds. */
export interface ClientAnswer {
  readonly do: string
  readonly recurrence: string
  readonly cycle?: number
  /** The last of several skipped cycles. */
  readonly lastCycle?: number
  readonly txid?: string
  readonly requestedAt: number
  readonly at: number
  readonly outcome: string
  readonly isDone: boolean
}

export interface StateWritten {
  readonly at: number
  readonly id: string
  readonly state: string
  readonly bankId?: string
}

export interface RecurrenceBooks {
  readonly recurrences: ReadonlyArray<Recurrence>
  readonly charges: ReadonlyArray<Charge>
  readonly payments: ReadonlyArray<Payment>
  readonly returns: ReadonlyArray<Return>
  readonly deliveries: ReadonlyArray<DeliveryRecord>
}

export interface RecurrenceEvidence {
  readonly ledger: RecurrenceLedger
  readonly books: RecurrenceBooks
  readonly answers: ReadonlyArray<ClientAnswer>
  readonly written: ReadonlyArray<StateWritten>
  readonly receipts: ReadonlyArray<Receipt>
  /** The periods without a running process. */
  readonly outages: ReadonlyArray<{ readonly from: number; readonly until: number }>
  /** When the store was set back, and its new time. */
  readonly setBacks: ReadonlyArray<{ readonly at: number; readonly to: number }>
  readonly unanswered: ReadonlyArray<string>
  readonly defects: ReadonlyArray<string>
  readonly now: number
}

/** True if the answer is about the cycle, alone or with others. */
export const namesCycle = ({ cycle = 0, lastCycle = cycle }: ClientAnswer, of: number): boolean =>
  of >= cycle && of <= lastCycle

export type Find = (seen: RecurrenceEvidence) => ReadonlyArray<string>
