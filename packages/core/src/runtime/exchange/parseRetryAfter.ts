import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const delaySeconds = /^\d{1,9}$/
// A date's parser takes "-5" for a date, too.
const httpDate = /^[A-Z][a-z]{2,8}, /

/**
 * How many milliseconds a `Retry-After` header asks to wait, from 0: seconds, or the time until an HTTP-date (RFC 9110
 * §10.2.3). Undefined for a header that says neither. `nowMs` is the present in epoch milliseconds.
 */
export const parseRetryAfter = (header: string, nowMs: number): number | undefined => {
  const text = header.trim()
  if (delaySeconds.test(text)) return Number(text) * 1_000
  const until = httpDate.test(text) ? DateTime.make(text) : Option.none()
  return Option.isNone(until) ? undefined : Math.max(0, DateTime.toEpochMillis(until.value) - nowMs)
}
