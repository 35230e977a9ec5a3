import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

const delaySeconds = /^\d{1,9}$/
// Requires a weekday, because date parsers accept "-5".
const httpDate = /^[A-Z][a-z]{2,8}, /

/**
 * The wait of a `Retry-After` header in milliseconds, from 0: seconds, or the time until an HTTP-date (RFC 9110 §10.2.3).
 * Undefined for any other text.
 */
export const parseRetryAfter = (header: string, nowMs: number): number | undefined => {
  const text = header.trim()
  if (delaySeconds.test(text)) return Number(text) * 1_000
  const until = httpDate.test(text) ? DateTime.make(text) : Option.none()
  return Option.isNone(until) ? undefined : Math.max(0, DateTime.toEpochMillis(until.value) - nowMs)
}
