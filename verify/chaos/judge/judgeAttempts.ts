import type { Evidence } from "./Evidence.ts"

/**
 * A statement waits 15 s for its answer and may be repeated within these 15 s. A call may also have to wait for the
 * statement before it, and for another one.
 */
const maxCallMs = 45_000
/** How long after a fault a host may still find dead connections. */
const aftermathMs = 30_000

const isOutOfReach = /^(?:BootFailure|(?:Directory|Store)Unavailable)$/

/** Calls that hang, and failures without a cause: callers would repeat them for ever. */
export const judgeAttempts = ({ attempts, incidents }: Evidence): ReadonlyArray<string> =>
  attempts.flatMap(({ operation, issuer, host, beganAt, endedAt, failure = "" }) => {
    const call = `${operation} of ${issuer} at ${host}`
    const tookMs = endedAt - beganAt
    const isExcused = incidents.some(({ from, until }) => from <= endedAt && beganAt <= until + aftermathMs)
    const flaws = tookMs > maxCallMs ? [`hang: ${call} took ${tookMs} ms`] : []
    if (isOutOfReach.test(failure) && !isExcused) flaws.push(`${call} failed with ${failure}, and nothing had struck`)
    return flaws
  })
