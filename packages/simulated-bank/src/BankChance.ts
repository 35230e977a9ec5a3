import { instantPaymentId, randomText } from "./ids.ts"
import type { LedgerPayment, ReturnOrder } from "./Ledger.ts"

/** The outcome of a requested return that the bank's rules allow. */
export interface ReturnFate {
  /** The payer's account accepts no return for this long: the return is refused. */
  readonly blockedMs?: number
  /** The caller is told that it can't be made, and it is made all the same. */
  readonly isDenied?: boolean
  /** How long it is being made. */
  readonly makingMs?: number
  /** Milliseconds from made to settled; by default the bank's pace. */
  readonly settlingMs?: number
  /** It fails when it is settled. */
  readonly isRejected?: boolean
}

/** What a bank's ledger doesn't decide: time, ids, and what is slow or goes wrong. */
export interface BankChance {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly after: (ms: number, happens: () => void) => void
  /** Unguessable letters and digits. */
  readonly text: (length: number) => string
  /** The id of a payment (`E`) or of a return (`D`) of this moment. */
  readonly id: (letter: "E" | "D", at: number) => string
  /** How long making a charge takes. */
  readonly makingMs: (txid: string) => number
  readonly returnFate: (order: ReturnOrder, payment: LedgerPayment) => ReturnFate
}

/** The machine's time and chance, without delays and failures. */
export const plainChance = (now: () => number = Date.now): BankChance => ({
  now,
  after: (ms, happens) => void setTimeout(happens, ms),
  text: randomText,
  id: instantPaymentId,
  makingMs: () => 0,
  returnFate: () => ({}),
})

/** Calls `happens` after this many milliseconds, or at once if there are none to wait. */
export const happenAfter = (chance: BankChance, ms: number, happens: () => void): void => {
  if (ms === 0) happens()
  else chance.after(ms, happens)
}
