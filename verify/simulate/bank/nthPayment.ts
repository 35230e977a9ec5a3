import type { Ledger, LedgerPayment } from "@pixcharge/simulated-bank"

/**
 * The n-th payment, counted from 1. Numbers after the last start over, because plans don't know how many payments there
 * are.
 */
export const nthPayment = ({ payments }: Ledger, n: number): LedgerPayment | undefined =>
  [...payments.values()][(n - 1) % payments.size]
