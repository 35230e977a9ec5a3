import { makeShiftableClock } from "@pixcharge/adapter-tests/fixtures"
import { itWith } from "@pixcharge/adapter-tests/suites"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settleMs } from "../../src/recurrences/findRecurrence.ts"

/** The real clock, except that the wait before an empty search is repeated advances the clock instead. */
const settlingClock = Layer.sync(Clock.Clock, () => {
  const clock = makeShiftableClock()
  return {
    ...clock,
    sleep: (duration: Duration.Duration) =>
      Duration.toMillis(duration) === settleMs
        ? Effect.sync(() => clock.shiftUnsafe({ businessMs: settleMs }))
        : clock.sleep(duration),
  }
})

export const it = itWith(settlingClock)
