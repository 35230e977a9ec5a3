import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import { expect, it } from "vitest"
import { type HostLogger, loggerLayer } from "../src/telemetry/HostLogger.ts"

it("logs facts and a message with the method of the log level, without redacted values", async () => {
  const logged: Array<ReadonlyArray<unknown>> = []
  const method = (name: string) => (facts: object, message: string) => void logged.push([name, facts, message])
  const logger: HostLogger = {
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
  }
  await Effect.gen(function* () {
    yield* Effect.logTrace("a trace")
    yield* Effect.logDebug("a detail", { of: 1 }, "in two parts", { and: 2 })
    yield* Effect.logInfo("news")
    yield* Effect.annotateLogs(Effect.logWarning("a warning", { own: 1 }), { noted: 2, own: 3 })
    yield* Effect.logError("an error", Redacted.make({ secret: 1 }))
    yield* Effect.logFatal("the end")
  }).pipe(
    Effect.provideService(References.MinimumLogLevel, "All"),
    Effect.provide(loggerLayer(logger)),
    Effect.runPromise,
  )
  expect(logged).toEqual([
    ["debug", {}, "a trace"],
    ["debug", { of: 1, and: 2 }, "a detail in two parts"],
    ["info", {}, "news"],
    ["warn", { noted: 2, own: 1 }, "a warning"],
    ["error", {}, "an error"],
    ["error", {}, "the end"],
  ])
})

it.each([
  ["winston", { transports: [], configure: () => undefined }],
  ["LogTape", { category: ["shop"], getChild: () => undefined }],
])("passes %s the message first", async (_, parts) => {
  const logged: Array<ReadonlyArray<unknown>> = []
  const method = (...given: ReadonlyArray<unknown>) => void logged.push(given)
  const logger = { ...parts, debug: method, info: method, warn: method, error: method }
  await Effect.runPromise(Effect.provide(Effect.logWarning("a warning", { own: 1 }), loggerLayer(logger)))
  expect(logged).toEqual([["a warning", { own: 1 }]])
})
