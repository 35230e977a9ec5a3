const second = 1_000
const minute = 60 * second
const hour = 60 * minute

// Decision 24, the retry table of Standard Webhooks: what lies before each attempt after the first; ten attempts in all.
const delaysMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

const spread = 0.2
const maxRetryAfterMs = 24 * hour

/**
 * How long to wait after failed attempt number `attempt` (from 1), spread by ±20 % so that what failed together doesn't
 * come back together, and no shorter than the receiver asked for, up to a day; undefined after the last attempt.
 */
export const retryDelayMs = (
  attempt: number,
  /** From 0 to 1. */
  random: number,
  retryAfterMs = 0,
): number | undefined => {
  const delay = delaysMs[attempt - 1]
  if (delay === undefined) return undefined
  return Math.max(Math.round(delay * (1 - spread + 2 * spread * random)), Math.min(retryAfterMs, maxRetryAfterMs))
}
