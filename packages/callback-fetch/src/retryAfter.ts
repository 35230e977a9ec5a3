const seconds = /^\d{1,9}$/
// Date.parse makes a date of "-5", too.
const httpDate = /^[A-Z][a-z]{2,8}, /

/** How long a `Retry-After` header asks to wait, in seconds or until a date (RFC 9110); undefined if it makes no sense. */
export const retryAfterMs = (header: string, now: number): number | undefined => {
  const text = header.trim()
  if (seconds.test(text)) return Number(text) * 1_000
  const until = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(until) ? undefined : Math.max(0, until - now)
}
