/**
 * How many checks of one company may be under way at its processor, and since when none may. Companies have connections of
 * their own, so each has a limit of its own: a bank that is down is left alone and delays no other company.
 */
export interface ConcurrencyLimit {
  /** The processor answered last. Until it does, one check at a time goes as a probe. */
  readonly isAnswering: boolean
  /** Checks that may be under way at once: halved by each call without an answer, one more after each answer. */
  readonly atOnce: number
  /** No check is begun before this moment. Epoch milliseconds. */
  readonly restsUntil: number
  /** How long the last rest was; 0 after an answer. */
  readonly restMs: number
}

const firstRestMs = 1_000
const longestRestMs = 60_000

/** The limit of a company whose processor was not called yet. */
export const firstLimit = (mostAtOnce: number): ConcurrencyLimit => ({
  isAnswering: false,
  atOnce: mostAtOnce,
  restsUntil: 0,
  restMs: 0,
})

/** Without a rest that ends later than any can: a clock that ran ahead has set it. */
export const withoutFalseRest = (limit: ConcurrencyLimit, now: number): ConcurrencyLimit =>
  limit.restsUntil > now + longestRestMs ? { ...limit, restsUntil: 0 } : limit

/**
 * After a call without an answer: a rest of 1 s, doubled each time up to 60 s, or as long as the processor asks for, up to
 * the same.
 */
export const afterNoAnswer = (limit: ConcurrencyLimit, now: number, retryAfterMs = 0): ConcurrencyLimit => {
  const askedUntil = now + Math.min(retryAfterMs, longestRestMs)
  // What was under way when the rest began says nothing new.
  if (now < limit.restsUntil) return { ...limit, restsUntil: Math.max(limit.restsUntil, askedUntil) }
  const restMs = Math.min(Math.max(2 * limit.restMs, firstRestMs), longestRestMs)
  return {
    isAnswering: false,
    atOnce: Math.max(1, Math.floor(limit.atOnce / 2)),
    restsUntil: Math.max(now + restMs, askedUntil),
    restMs,
  }
}

/** After an answer; one that was under way when a rest began doesn't end it. */
export const afterAnswer = (limit: ConcurrencyLimit, now: number, mostAtOnce: number): ConcurrencyLimit =>
  now < limit.restsUntil
    ? limit
    : { ...limit, isAnswering: true, atOnce: Math.min(limit.atOnce + 1, mostAtOnce), restMs: 0 }

/** Whether one more check may be begun beside those under way. */
export const mayBegin = (
  { isAnswering, atOnce, restsUntil }: ConcurrencyLimit,
  underWay: number,
  now: number,
): boolean => now >= restsUntil && underWay < (isAnswering ? atOnce : 1)
