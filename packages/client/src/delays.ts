/** Between attempts of one call: 250 ms, doubled each time, up to 8 s; half of it is random. */
export const retryDelayMs = (attempt: number, random: number): number =>
  Math.min(8_000, 250 * 2 ** attempt) * (0.5 + random / 2)

/** Between queries of `waitUntilPaid`: an eighth of the elapsed time, from 1 to 30 s, a tenth of it random. */
export const pollDelayMs = (elapsedMs: number, random: number): number =>
  Math.min(30_000, Math.max(1_000, elapsedMs / 8)) * (0.95 + random / 10)
