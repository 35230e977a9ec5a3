import type { Period, Reconciliation, ReconciliationTurn } from "@pixcharge/core"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import type { StoreCall } from "./describeWrite.ts"
import type { Facts } from "./lostFacts.ts"
import type { Evidence } from "./Evidence.ts"

/** More than the clocks' difference; banks list by the second. */
const toleranceMs = 62_000
const hourMs = 3_600_000

/** The payments and returns that a list of the bank shows. */
export interface ComparedFacts extends Facts {
  readonly payments: ReadonlyArray<LedgerPayment>
  /** Everything that was known before this time has been compared. Epoch milliseconds. */
  readonly until: number
}

/** The interval of the lists that reach back two days. They show returns, and payments of charges in a wrong state. */
const comparedEachMs = 9 * hourMs

type BankEvidence = Pick<Evidence, "ledger" | "accounts" | "listsAfterMs">

const collectFacts = (
  { ledger, accounts }: BankEvidence,
  issuer: Cnpj,
  { from, until }: Period,
  returnedUntil: number,
): Omit<ComparedFacts, "until"> => {
  const its = [...ledger.payments.values()].filter((one) => accounts.mayOwn(issuer, one))
  return {
    issuer,
    payments: its.filter(({ paidAt }) => paidAt >= from && paidAt < until),
    returns: its.flatMap(({ endToEndId, paidAt, returns }) =>
      returns
        .filter(({ returnedAt = Infinity }) => paidAt >= from && returnedAt < returnedUntil)
        .map(({ id }) => ({ endToEndId, id })),
    ),
  }
}

export const reconciledFacts = (bank: BankEvidence, issuer: Cnpj, { from, until }: Period): ComparedFacts => {
  const { listsAfterMs } = bank
  const listed = { from, until: until - listsAfterMs - toleranceMs }
  const { returns, ...facts } = collectFacts(bank, issuer, listed, until - toleranceMs)
  const ids = new Set(facts.payments.map(({ endToEndId }) => endToEndId))
  return { ...facts, returns: returns.filter(({ endToEndId }) => ids.has(endToEndId)), until: until - toleranceMs }
}

/**
 * The payments and returns that the books must have once a store call records a comparison with the bank's list:
 * payments listed late within twice their delay plus an hour, returns within a day. Undefined for other calls.
 */
export const comparedFacts = (
  { port, method, args, answer }: StoreCall,
  bank: BankEvidence,
  now: number,
): ComparedFacts | undefined => {
  const { listsAfterMs } = bank
  if (port !== "reconciliations" || method !== "save" || answer !== true) return undefined
  const [{ issuer, since, reconciledUntil, returnsDueAt }, { _tag }] = args as readonly [
    Reconciliation,
    ReconciliationTurn,
  ]
  if (_tag !== "Release") return undefined
  const lateMs = listsAfterMs === 0 ? 0 : 2 * listsAfterMs + hourMs
  const until = reconciledUntil - comparedEachMs - toleranceMs
  // The returns of older payments are listed once a day. If they are due only in more than half a day, they were just
  // listed.
  const returnedUntil = returnsDueAt > now + 12 * hourMs ? Math.min(until, returnsDueAt - 24 * hourMs - toleranceMs) : 0
  return {
    ...collectFacts(bank, issuer, { from: since, until: reconciledUntil - lateMs - toleranceMs }, returnedUntil),
    until,
  }
}
