import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"

/** The n-th payment from 1, starting over after the last: plans don't know how many there are. */
export const nthPayment = ({ payments }: Ledger, n: number): LedgerPayment | undefined =>
  [...payments.values()][(n - 1) % payments.size]
