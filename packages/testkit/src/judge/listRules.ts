import type { Period, Reconciliation, ReconciliationTurn } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import type { Cnpj } from "@pixcharge/core/party"
import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"
import type { StoreCall } from "./describeWrite.ts"
import type { Facts } from "./lostFacts.ts"

/** Clocks differ by less, and banks list by the second. */
const toleranceMs = 62_000

/** What a list of the bank has told until a moment: epoch milliseconds. */
export interface ComparedFacts extends Facts {
  readonly payments: ReadonlyArray<LedgerPayment>
  readonly until: number
  /** Only what was paid for one charge since it was checked last. */
  readonly isOfCharge?: boolean
}

/** The payments of a company and their returns, as far as a list of that moment had them. */
const factsUntil = (
  { payments }: Ledger,
  issuer: Cnpj,
  until: number,
  isListed: (payment: LedgerPayment) => boolean,
): ComparedFacts => {
  const its = [...payments.values()].filter((one) => one.issuer === issuer && isListed(one))
  return {
    issuer,
    until: until - toleranceMs,
    payments: its,
    returns: its.flatMap(({ endToEndId, returns }) =>
      returns
        .filter(({ returnedAt = Infinity }) => returnedAt < until - toleranceMs)
        .map(({ id }) => ({ endToEndId, id })),
    ),
  }
}

/** What must be in the books once a period was compared with the bank's list. */
export const reconciledFacts = (
  ledger: Ledger,
  issuer: Cnpj,
  { from, until }: Period,
  listsAfterMs: number,
): ComparedFacts =>
  factsUntil(ledger, issuer, until, ({ paidAt }) => paidAt >= from && paidAt < until - listsAfterMs - toleranceMs)

/**
 * What must be in the books once a call of the store says that they were compared with the bank's list: whatever kept a page
 * or a payment from being read, the comparison isn't over before. Undefined for a call that says nothing of it.
 */
export const comparedFacts = (
  { port, method, args, answer }: StoreCall,
  ledger: Ledger,
  listsAfterMs: number,
  paymentsInCharges: boolean,
): ComparedFacts | undefined => {
  if (port === "reconciliations" && method === "save" && answer === true) {
    const [{ issuer, since, reconciledUntil }, { _tag }] = args as readonly [Reconciliation, ReconciliationTurn]
    const until = reconciledUntil - listsAfterMs - toleranceMs
    return _tag === "Release"
      ? factsUntil(ledger, issuer, reconciledUntil, ({ paidAt }) => paidAt >= since && paidAt < until)
      : undefined
  }
  if (port !== "checks" || method !== "scheduleCharge") return undefined
  // What a charge doesn't show is left to the comparison with the list.
  if (listsAfterMs > 0 || !paymentsInCharges) return undefined
  const [{ _tag, issuer, txid }, , { checkedUntil = 0 } = {}] = args as readonly [
    Charge,
    unknown,
    { readonly checkedUntil?: number }?,
  ]
  const until = checkedUntil - toleranceMs
  return _tag === "Pending"
    ? {
        ...factsUntil(ledger, issuer, until, (one) => one.txid === txid && one.paidAt < until),
        returns: [],
        isOfCharge: true,
      }
    : undefined
}
