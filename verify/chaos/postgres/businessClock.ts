import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { BusinessTime } from "./BusinessTime.ts"

/** Effect's clock on business time; the steady clock leaps with it, as on a machine that was suspended. */
export const businessClock = (time: BusinessTime): Clock.Clock => {
  const nanos = () => BigInt(time.now) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => time.now,
    currentTimeNanosUnsafe: nanos,
    monotonicTimeNanosUnsafe: nanos,
    currentTimeMillis: Effect.sync(() => time.now),
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanos: Effect.sync(nanos),
    sleep: (duration) => {
      const ms = Duration.toMillis(duration)
      if (ms <= 0) return Effect.yieldNow
      return Effect.callback((resume) => {
        const end = ms < Number.POSITIVE_INFINITY ? time.after(ms, () => resume(Effect.void)) : () => undefined
        return Effect.sync(end)
      })
    },
  }
}
