import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as TestClock from "effect/testing/TestClock"
import { expect, it } from "vitest"
import { warnWhereFrozen } from "../src/warnWhereFrozen.ts"

/** Runs `life`, which can freeze the process for a time, and returns the warnings. */
const warningsDuring = (
  env: Record<string, string>,
  life: (freeze: (frozenMs: number) => void) => Effect.Effect<unknown>,
) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const logged: Array<string> = []
      const logger = Logger.make(({ message, logLevel }) => void logged.push(`${logLevel} ${String(message)}`))
      const clock = yield* Clock.Clock
      let frozenMs = 0
      const now = () => clock.currentTimeMillisUnsafe() + frozenMs
      yield* Effect.forkScoped(Effect.provide(warnWhereFrozen(env, now), Logger.layer([logger])))
      yield* Effect.yieldNow
      yield* life((ms) => {
        frozenMs += ms
      })
      return logged
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
  )

const minutes = (count: number) => Effect.forEach(Array.from({ length: count * 12 }), () => TestClock.adjust(5_000))

it("doesn't warn if the process is never frozen", async () => {
  expect(await warningsDuring({ PATH: "/bin" }, () => minutes(5))).toEqual([])
})

it("doesn't warn if the process was busy for 15 seconds", async () => {
  const busy = (freeze: (ms: number) => void) =>
    Effect.andThen(
      Effect.sync(() => freeze(15_000)),
      minutes(1),
    )
  expect(await warningsDuring({}, busy)).toEqual([])
})

it("warns once if the process was frozen", async () => {
  const frozen = (freeze: (ms: number) => void) =>
    Effect.andThen(
      Effect.sync(() => freeze(42_000)),
      minutes(1),
    ).pipe(Effect.repeat({ times: 2 }))
  const warnings = await warningsDuring({}, frozen)
  expect(warnings).toEqual([expect.stringMatching(/^Warn This process was frozen for 42 s: .*background: false/)])
})

it.each(["AWS_LAMBDA_FUNCTION_NAME", "VERCEL"])("warns immediately on a platform that sets %s", async (name) => {
  const warnings = await warningsDuring({ [name]: "1" }, () => Effect.void)
  expect(warnings).toEqual([expect.stringContaining(`${name} is set`)])
})
