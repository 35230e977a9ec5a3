import { InvalidOption, isStorableMoment } from "@pixcharge/core"
import { anObject, type Fields, unknownField } from "@pixcharge/core/internal"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Business time that can be moved forward, in the sandbox only. Waiting (`sleep`) is in real time all the same. */
export interface MovableClock extends Clock.Clock {
  /** Moves the time on, for good; never back. */
  readonly advanceUnsafe: (by: Duration.Input) => void
  /** The time that it will be after moving on, in epoch milliseconds. Throws as `advanceUnsafe` does. */
  readonly laterUnsafe: (by: Duration.Input) => number
  /** Freezes the time at a moment (epoch milliseconds); undefined lets it go on as if it had never been frozen. */
  readonly freezeUnsafe: (at: number | undefined) => void
  /** The time without `freezeUnsafe`, in epoch milliseconds. */
  readonly presentUnsafe: () => number
}

const flaw = new InvalidOption({
  message:
    'clock.advance takes milliseconds, or a text like "3 days" or "90 minutes": time goes forward, and not for ever.',
})

const units: Fields = Object.fromEntries(
  ["weeks", "days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"].map((unit) => [
    unit,
    true,
  ]),
)

/** Effect takes what isn't a number, and an object without a unit that it knows, for no time at all. */
const isNothing = (by: Duration.Input): boolean =>
  Number.isNaN(by) ||
  (anObject.holds(by) &&
    !Duration.isDuration(by) &&
    (Object.keys(by).length === 0 || unknownField(by, units) !== undefined))

/** A duration in whole milliseconds. */
const readMs = (by: Duration.Input): number => {
  const given = isNothing(by) ? Option.none() : Duration.fromInput(by)
  const ms = Option.isNone(given) ? Number.NaN : Duration.toMillis(given.value)
  if (Number.isFinite(ms) && ms >= 0) return Math.floor(ms)
  throw flaw
}

/** A clock that runs with the real time, or is frozen at a moment (epoch milliseconds) until it is moved. */
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
    // What measures elapsed time must not jump.
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

/** Set by platforms that freeze a process between requests. Others, like Cloud Run, do so by configuration only. */
const platforms = ["AWS_LAMBDA_FUNCTION_NAME", "VERCEL"]

/** The environment's variables; none for Deno, which asks its user before it lets anybody read them. */
export const platformVariables = (): Readonly<Record<string, string | undefined>> =>
  "Deno" in globalThis ? {} : process.env

const lookEveryMs = 5_000
/** No busy process is as late as this. */
const maxLateMs = 15_000

const advice =
  "while the platform freezes this process between requests, no event is sent and no missed payment is found; set " +
  "background: false and call pix.tick() from a cron job"

/**
 * Warns once where background work can't run: at once on a platform that is known to freeze its processes, otherwise when the
 * process is seen to have been frozen. `now` goes on meanwhile: milliseconds of the monotonic clock, which nobody sets.
 */
export const warnWhereFrozen = Effect.fnUntraced(function* (
  env: Readonly<Record<string, string | undefined>>,
  now: () => number,
) {
  const platform = platforms.find((name) => env[name] !== undefined)
  if (platform !== undefined) return yield* Effect.logWarning(`${platform} is set: ${advice}`)
  for (let last = now(); ; last = now()) {
    yield* Effect.sleep(lookEveryMs)
    const lateMs = now() - last - lookEveryMs
    if (lateMs > maxLateMs) {
      return yield* Effect.logWarning(`This process stood still for ${Math.round(lateMs / 1_000)} s: ${advice}`)
    }
  }
})
