import type { LedgerPayment, ReturnOrder } from "./Ledger.ts"

/** The outcome of a requested return that the bank's rules allow. */
export interface ReturnFate {
  /** Milliseconds in which the payer's account accepts no return, so the return is refused. */
  readonly blockedMs?: number
  /** The answer says that the return failed, but the return is made. */
  readonly isDenied?: boolean
  readonly makingMs?: number
  /** Milliseconds until a made return settles; by default the bank's pace. */
  readonly settlingMs?: number
  /** The return fails when it settles. */
  readonly isRejected?: boolean
}

/** Time, ids, delays and failures, which a bank's ledger doesn't decide. */
export interface BankChance {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly after: (ms: number, happens: () => void) => void
  readonly text: (length: number) => string
  /** The id of a payment (`E`) or of a return (`D`). */
  readonly id: (letter: "E" | "D", at: number) => string
  readonly makingMs: (txid: string) => number
  /** Whether the bank refuses a change. */
  readonly refusesChange?: (txid: string) => boolean
  readonly returnFate: (order: ReturnOrder, payment: LedgerPayment) => ReturnFate
}

export const plainChance = (now: () => number = Date.now): BankChance => ({
  now,
  after: (ms, happens) => void setTimeout(happens, ms),
  text: randomText,
  id: instantPaymentId,
  makingMs: () => 0,
  returnFate: () => ({}),
})

/** Runs `happens` after `ms` milliseconds, or immediately if `ms` is 0. */
export const happenAfter = (chance: BankChance, ms: number, happens: () => void): void => {
  if (ms === 0) happens()
  else chance.after(ms, happens)
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const randomText = (length: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => letters[byte % letters.length]).join("")

const ispb = "12345678"
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replaceAll(/[-T:]/g, "")

/** An id of `E` or `D`, the institution, the minute in UTC and 11 letters or digits. */
const instantPaymentId = (letter: "E" | "D", at: number): string => `${letter}${ispb}${minute(at)}${randomText(11)}`
