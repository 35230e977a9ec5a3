import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import { addDays, brasiliaDate, brasiliaHour } from "@pixcharge/core/calendar"
import { anObject, type Fields, unknownField } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The sandbox's movable business time. `sleep` takes real time. */
export interface MovableClock extends Clock.Clock {
  /** Moves the time forward, never back. */
  readonly advanceUnsafe: (by: Duration.Input) => void
  /** The time that `advanceUnsafe` would set, in epoch milliseconds. Throws the same errors. */
  readonly laterUnsafe: (by: Duration.Input) => number
  /** Epoch milliseconds. Undefined resumes the clock as if it had never been frozen. */
  readonly freezeUnsafe: (at: number | undefined) => void
  /** The time without `freezeUnsafe`, in epoch milliseconds. */
  readonly presentUnsafe: () => number
}

const flaw = new InvalidOption({
  message:
    'clock.advance takes milliseconds, or a text like "3 days" or "90 minutes": time only goes forward, within the range of dates.',
})

const units: Fields = Object.fromEntries(
  ["weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"].map((unit) => [
    unit,
    true,
  ]),
)

/** True for values without a duration, which Effect reads as zero. */
const isNothing = (by: Duration.Input): boolean =>
  Number.isNaN(by) ||
  (anObject.holds(by) &&
    !Duration.isDuration(by) &&
    (Object.keys(by).length === 0 || unknownField(by, units) !== undefined))

const readMs = (by: Duration.Input): number => {
  const given = isNothing(by) ? Option.none() : Duration.fromInput(by)
  const ms = Option.isNone(given) ? Number.NaN : Duration.toMillis(given.value)
  if (Number.isFinite(ms) && ms >= 0) return Math.floor(ms)
  throw flaw
}

export const makeMovableClock = (frozenAt?: number): MovableClock => {
  const real = Context.get(Context.empty(), Clock.Clock)
  let aheadMs = 0
  let past: number | undefined
  const presentUnsafe = () => (frozenAt ?? real.currentTimeMillisUnsafe()) + aheadMs
  const laterUnsafe = (by: Duration.Input): number => {
    const later = presentUnsafe() + readMs(by)
    if (!isStorableMoment(later)) throw flaw
    return later
  }
  const currentTimeMillisUnsafe = () => past ?? presentUnsafe()
  const currentTimeNanosUnsafe = () => {
    const frozen = past ?? (frozenAt === undefined ? undefined : frozenAt + aheadMs)
    return frozen === undefined
      ? real.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
      : BigInt(frozen) * 1_000_000n
  }
  return {
    currentTimeMillisUnsafe,
    currentTimeNanosUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    // Moves of business time don't change elapsed time.
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration),
    advanceUnsafe: (by) => {
      laterUnsafe(by)
      aheadMs += readMs(by)
    },
    laterUnsafe,
    freezeUnsafe: (at) => {
      past = at
    },
    presentUnsafe,
  }
}

const hours = [8, 9, 21] as const
const afterMs = 600_000

/**
 * The times between `from` and `until` at which a running host checks debits and charges cycles: 08:10, 09:10 and 21:10 of each
 * day in Brasília, in epoch milliseconds.
 */
export const stopsOnTheWay = (from: number, until: number): ReadonlyArray<number> => {
  const stops: Array<number> = []
  for (let day = brasiliaDate(from); day <= brasiliaDate(until); day = addDays(day, 1)) {
    stops.push(...hours.map((hour) => brasiliaHour(day, hour) + afterMs).filter((at) => at > from && at < until))
  }
  return stops
}

/**
 * Moves the clock to a later time of the past, in epoch milliseconds, and looks for payments whose notice was lost. `false`
 * skips the look-up, which saves time if there are many moves.
 */
export type MoveTo = (at: number, looksForPayments?: boolean) => Promise<void>

const pastFlaw = (text: string) => new InvalidOption({ message: `clock.runInPast(to, work): ${text}.` })

export const makeRunInPast = (clock: MovableClock, wake: (looksForPayments: boolean) => Promise<void>) => {
  let isRunning = false

  const freeze = (at: number, notBefore: number): void => {
    if (!(Number.isInteger(at) && isStorableMoment(at))) throw pastFlaw("a moment is whole epoch milliseconds")
    if (at > clock.presentUnsafe()) throw pastFlaw("a moment must not be later than the present")
    if (at < notBefore) throw pastFlaw("moveTo can't go back in time")
    clock.freezeUnsafe(at)
  }

  return async <A>(to: number, work: (moveTo: MoveTo) => Promise<A>): Promise<A> => {
    if (isRunning) throw pastFlaw("another call is under way")
    if (typeof work !== "function") throw pastFlaw("work must be a function")
    freeze(to, to)
    isRunning = true
    try {
      return await work(async (at, looksForPayments = true) => {
        freeze(at, clock.currentTimeMillisUnsafe())
        await wake(looksForPayments)
      })
    } finally {
      clock.freezeUnsafe(undefined)
      isRunning = false
      await wake(true)
    }
  }
}
