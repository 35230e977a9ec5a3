import type { Evidence } from "./Evidence.ts"

/**
 * A statement waits up to 15 s and is repeated within them. A call can wait for the statement before its own and for one more.
 */
const maxCallMs = 45_000
/** How long after a fault a host can find dead connections. */
const aftermathMs = 30_000

const isOutOfReach = /^(?:BootFailure|(?:Directory|Store)Unavailable)$/

/** Callers would repeat failures without a cause forever. */
export const judgeAttempts = ({ attempts, incidents }: Evidence): ReadonlyArray<string> =>
  attempts.flatMap(({ operation, issuer, host, beganAt, endedAt, failure = "" }) => {
    const call = `${operation} of ${issuer} at ${host}`
    const tookMs = endedAt - beganAt
    const isExcused = incidents.some(({ from, until }) => from <= endedAt && beganAt <= until + aftermathMs)
    const flaws = tookMs > maxCallMs ? [`hang: ${call} took ${tookMs} ms`] : []
    if (isOutOfReach.test(failure) && !isExcused) flaws.push(`${call} failed with ${failure}, and nothing had struck`)
    return flaws
  })
