import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"

/** The n-th payment from 1, starting over after the last, because plans don't know the number of payments. */
export const nthPayment = ({ payments }: Ledger, n: number): LedgerPayment | undefined =>
  [...payments.values()][(n - 1) % payments.size]
