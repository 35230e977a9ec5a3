/** How long to wait after the first failure, and at most. */
export interface BackOffRule {
  readonly firstMs: number
  readonly maxMs: number
}

/** The delay after one of `lastMs`, when the call has failed again: twice as long. */
export const nextDelayMs = ({ firstMs, maxMs }: BackOffRule, lastMs = 0): number =>
  Math.min(Math.max(2 * lastMs, firstMs), maxMs)

/** The delay after a number of failures in a row, from 1. */
export const delayMsAfter = ({ firstMs, maxMs }: BackOffRule, failures: number): number =>
  Math.min(firstMs * 2 ** (failures - 1), maxMs)
