import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import { anObject } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Business time that can be moved forward, in the sandbox only. Waiting (`sleep`) is in real time all the same. */
export interface MovableClock extends Clock.Clock {
  /** Moves the time on, for good; never back. */
  readonly advanceUnsafe: (by: Duration.Input) => void
  /** Stands still at this moment (epoch milliseconds), until it is undefined: then it goes on as if it had never stood. */
  readonly standAtUnsafe: (at: number | undefined) => void
  /** What time it would be without `standAtUnsafe`: epoch milliseconds. */
  readonly presentUnsafe: () => number
}

const flaw = new InvalidOption({
  message:
    'clock.advance takes milliseconds, or a text like "3 days" or "90 minutes": time goes forward, and not for ever.',
})

/** How long that is, in whole milliseconds. */
const lengthOf = (by: Duration.Input): number => {
  // Effect takes what isn't a number, and an object without units, for no time at all.
  const isNothing = Number.isNaN(by) || (anObject.holds(by) && !Duration.isDuration(by) && Object.keys(by).length === 0)
  const given = isNothing ? Option.none() : Duration.fromInput(by)
  const ms = Option.isNone(given) ? Number.NaN : Duration.toMillis(given.value)
  if (Number.isFinite(ms) && ms >= 0) return Math.floor(ms)
  throw flaw
}

/** A clock that runs on the real time, or stands still at an instant (epoch milliseconds), until it is moved. */
export const makeMovableClock = (standsAt?: number): MovableClock => {
  const real = Context.get(Context.empty(), Clock.Clock)
  let aheadMs = 0
  let past: number | undefined
  const presentUnsafe = () => (standsAt ?? real.currentTimeMillisUnsafe()) + aheadMs
  const currentTimeMillisUnsafe = () => past ?? presentUnsafe()
  const currentTimeNanosUnsafe = () => {
    const standing = past ?? (standsAt === undefined ? undefined : standsAt + aheadMs)
    return standing === undefined
      ? real.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
      : BigInt(standing) * 1_000_000n
  }
  return {
    currentTimeMillisUnsafe,
    currentTimeNanosUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    // What measures elapsed time must not jump.
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration),
    advanceUnsafe: (by) => {
      const next = aheadMs + lengthOf(by)
      if (!isStorableMoment(presentUnsafe() + next - aheadMs)) throw flaw
      aheadMs = next
    },
    standAtUnsafe: (at) => {
      past = at
    },
    presentUnsafe,
  }
}
