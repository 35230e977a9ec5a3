import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Beyond this a bank's wish is a mistake. */
const longestMs = 3_600_000

/** How long a `Retry-After` asks to wait (RFC 9110 §10.2.3): seconds, or a date; undefined where it says nothing. */
export const retryAfterMsOf = (header: string | undefined): Effect.Effect<number | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    if (header === undefined) return undefined
    const ms = /^\d{1,9}$/.test(header)
      ? Number(header) * 1000
      : Option.getOrUndefined(DateTime.make(header).pipe(Option.map((at) => DateTime.toEpochMillis(at) - now)))
    return ms === undefined ? undefined : Math.min(Math.max(ms, 0), longestMs)
  })
