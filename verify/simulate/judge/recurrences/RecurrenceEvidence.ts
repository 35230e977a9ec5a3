import type { DeliveryRecord } from "@pixcharge/core"
import type { Charge, Payment, Return } from "@pixcharge/core/charges"
import type { Recurrence } from "@pixcharge/core/recurrence"
import type { Receipt } from "../Evidence.ts"
import type { RecurrenceLedger } from "./RecurrenceLedger.ts"

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
