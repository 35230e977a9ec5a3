/** From the end of a round to the beginning of the next. */
const roundDelayMs = 1_000
/** The same after a failure: so few look-ups don't burden a store that comes back, and who paid meanwhile sees it soon. */
const failureDelayMs = 4_000
/** The delay is at least this many times as long as the round: rounds take a tenth of the time at most. */
const delayFactor = 10
/** Who paid meanwhile sees it after the delay, however slow the round was. */
const maxDelayMs = 10_000

/** How long to wait after a round that took `tookMs`. */
export const nextDelayMs = (tookMs: number, hasFailed: boolean): number =>
  Math.min(maxDelayMs, Math.max(hasFailed ? failureDelayMs : roundDelayMs, tookMs * delayFactor))
