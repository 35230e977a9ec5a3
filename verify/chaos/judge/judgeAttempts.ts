import type { Evidence } from "./Evidence.ts"

/**
 * The longest time of a call: three statements of up to 15 s with their repeats, because a call can wait for the
 * statement before it and needs up to two.
 */
const maxCallMs = 45_000
/** How long after a fault a host can still find dead connections. */
const aftermathMs = 30_000

const isOutOfReach = /^(?:BootFailure|(?:Directory|Store)Unavailable)$/

/**
 * Finds calls that took too long, and failures without a fault that explains them. Callers would otherwise hide such
 * failures by repeating the call.
 */
export const judgeAttempts = ({ attempts, incidents }: Evidence): ReadonlyArray<string> =>
  attempts.flatMap(({ operation, issuer, host, beganAt, endedAt, failure = "" }) => {
    const call = `${operation} of ${issuer} at ${host}`
    const tookMs = endedAt - beganAt
    const isExcused = incidents.some(({ from, until }) => from <= endedAt && beganAt <= until + aftermathMs)
    const flaws = tookMs > maxCallMs ? [`hang: ${call} took ${tookMs} ms`] : []
    if (isOutOfReach.test(failure) && !isExcused) flaws.push(`${call} failed with ${failure} without a fault`)
    return flaws
  })
