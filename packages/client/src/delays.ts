// Core's schedules of back-off are not for the client: it depends on nothing, and many clients must not come back at once.

/** Between attempts of one call: 250 ms, doubled each time, up to 8 s; the half of it is left to chance. */
export const retryDelayMs = (attempt: number, random: number): number =>
  Math.min(8_000, 250 * 2 ** attempt) * (0.5 + random / 2)

/** Between the queries of a wait: an eighth of the time that was waited, from 1 to 30 s, a tenth of it left to chance. */
export const pollDelayMs = (elapsedMs: number, random: number): number =>
  Math.min(30_000, Math.max(1_000, elapsedMs / 8)) * (0.95 + random / 10)
