import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** A clock that runs in real time and can be put forward: business time, the steady clock of leases, or both. */
export interface ShiftableClock extends Clock.Clock {
  readonly shiftUnsafe: (by: { readonly businessMs?: number; readonly steadyMs?: number }) => void
}

export const makeShiftableClock = (): ShiftableClock => {
  const real = Context.get(Context.empty(), Clock.Clock)
  let businessMs = 0
  let steadyMs = 0
  const currentTimeMillisUnsafe = () => real.currentTimeMillisUnsafe() + businessMs
  const currentTimeNanosUnsafe = () => real.currentTimeNanosUnsafe() + BigInt(businessMs) * 1_000_000n
  const monotonicTimeNanosUnsafe = () => real.monotonicTimeNanosUnsafe() + BigInt(steadyMs) * 1_000_000n
  return {
    currentTimeMillisUnsafe,
    currentTimeNanosUnsafe,
    monotonicTimeNanosUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanos: Effect.sync(monotonicTimeNanosUnsafe),
    sleep: (duration) => real.sleep(duration),
    shiftUnsafe: (by) => {
      businessMs += by.businessMs ?? 0
      steadyMs += by.steadyMs ?? 0
    },
  }
}
