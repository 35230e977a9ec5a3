import { instantPaymentId, randomText } from "./ids.ts"
import type { LedgerPayment, ReturnOrder } from "./Ledger.ts"

/** What becomes of a return that is asked for and that the bank's rules allow. */
export interface ReturnFate {
  /** For so long, and now, the payer's account takes nothing back: the return is refused. */
  readonly blockedMs?: number
  /** Who asks is told that it can't be made, and it is made all the same. */
  readonly isDenied?: boolean
  /** How long it is being made. */
  readonly makingMs?: number
  /** Once it is made: after so long it is settled; by default as the bank's pace has it. */
  readonly settlingMs?: number
  /** Settled, it has failed. */
  readonly isRejected?: boolean
}

/** What a bank can't decide by what it holds: time, ids, and whatever is slow or goes wrong. */
export interface BankChance {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly after: (ms: number, happens: () => void) => void
  /** Letters and digits that nobody can guess. */
  readonly text: (length: number) => string
  /** The id of a payment (`E`) or of a return (`D`) of this moment. */
  readonly id: (letter: "E" | "D", at: number) => string
  /** How long a charge is being made. */
  readonly makingMs: (txid: string) => number
  readonly returnFate: (order: ReturnOrder, payment: LedgerPayment) => ReturnFate
}

/** The machine's own time and chance; nothing is slow, and nothing goes wrong. */
export const plainChance = (now: () => number = Date.now): BankChance => ({
  now,
  after: (ms, happens) => void setTimeout(happens, ms),
  text: randomText,
  id: instantPaymentId,
  makingMs: () => 0,
  returnFate: () => ({}),
})
