/** From the end of a round to the beginning of the next. */
const roundDelayMs = 1_000
/** The same after a failure: few enough look-ups for a store that comes back, and soon enough for a payer who paid meanwhile. */
const failureDelayMs = 4_000
/** The delay is at least this many times as long as the round: rounds take a tenth of the time at most. */
const delayFactor = 10
/** A payer who paid meanwhile sees it after this time, however slow the round was. */
const maxDelayMs = 10_000

/** How long to wait after a round that took `tookMs`. */
export const nextDelayMs = (tookMs: number, hasFailed: boolean): number =>
  Math.min(maxDelayMs, Math.max(hasFailed ? failureDelayMs : roundDelayMs, tookMs * delayFactor))
