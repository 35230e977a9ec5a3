/**
 * How the processor is asked about one company. Companies have connections of their own, so that each has a pace of its
 * own: a bank that is down is left alone, and delays nobody else's money.
 */
export interface Pace {
  /** The last that was heard is an answer. Until then one check at a time goes as a probe. */
  readonly answers: boolean
  /** Checks that may be under way at once: half as many after each silence, one more after each answer. */
  readonly atOnce: number
  /** No check is begun before this moment. */
  readonly restsUntil: number
  /** How long the last rest was; 0 after an answer. */
  readonly restMs: number
}

const firstRestMs = 1_000
const longestRestMs = 60_000

/** Without a rest that ends later than any can: a clock that ran ahead has set it. */
export const withoutFalseRest = (pace: Pace, now: number): Pace =>
  pace.restsUntil > now + longestRestMs ? { ...pace, restsUntil: 0 } : pace

/** The pace of a company of which nothing was heard yet. */
export const firstPace = (mostAtOnce: number): Pace => ({
  answers: false,
  atOnce: mostAtOnce,
  restsUntil: 0,
  restMs: 0,
})

/** After a silence: a rest of 1 s, twice as long each time, at most 60 s; what the processor asks for counts. */
export const afterSilence = (pace: Pace, now: number, askedMs = 0): Pace => {
  const askedUntil = now + Math.min(askedMs, longestRestMs)
  // What was under way when the rest began says nothing new.
  if (now < pace.restsUntil) return { ...pace, restsUntil: Math.max(pace.restsUntil, askedUntil) }
  const restMs = Math.min(Math.max(2 * pace.restMs, firstRestMs), longestRestMs)
  return {
    answers: false,
    atOnce: Math.max(1, Math.floor(pace.atOnce / 2)),
    restsUntil: Math.max(now + restMs, askedUntil),
    restMs,
  }
}

/** After an answer; one that was under way when a rest began doesn't end it. */
export const afterAnswer = (pace: Pace, now: number, mostAtOnce: number): Pace =>
  now < pace.restsUntil ? pace : { ...pace, answers: true, atOnce: Math.min(pace.atOnce + 1, mostAtOnce), restMs: 0 }

/** Whether one more check may be begun beside those under way. */
export const mayBegin = ({ answers, atOnce, restsUntil }: Pace, underWay: number, now: number): boolean =>
  now >= restsUntil && underWay < (answers ? atOnce : 1)
