import * as Effect from "effect/Effect"

/** Variables that are set by platforms that freeze a process between requests. */
const platforms = ["AWS_LAMBDA_FUNCTION_NAME", "VERCEL"]

/** The environment variables; empty on Deno, which asks its user for permission to read them. */
export const platformVariables = (): Readonly<Record<string, string | undefined>> =>
  "Deno" in globalThis ? {} : process.env

const lookEveryMs = 5_000
/** A timer that is later than this was frozen: a busy process isn't that late. */
const maxLateMs = 15_000

const advice =
  "while the platform freezes this process between requests, no event is sent and no missed payment is found; set " +
  "background: false and call pix.tick() from a cron job"

/**
 * Warns once if background work can't run: immediately on a platform known to freeze its processes, otherwise after a freeze.
 * `now` must count frozen time, in monotonic milliseconds.
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
      return yield* Effect.logWarning(`This process was frozen for ${Math.round(lateMs / 1_000)} s: ${advice}`)
    }
  }
})
