import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { it } from "@pixcharge/adapter-tests/suites"
import { monotonicMs } from "../../src/runtime/clock.ts"

const clockAt = (nanos: bigint): Clock.Clock => ({
  ...Clock.Clock.defaultValue(),
  monotonicTimeNanosUnsafe: () => nanos,
})

it.live("gives whole milliseconds, exact even if a clock counts from 1970", () =>
  Effect.gen(function* () {
    const readAt = (nanos: bigint) => Effect.provideService(monotonicMs, Clock.Clock, clockAt(nanos))
    // A division of floating-point nanoseconds would give 1767225600001.9998 ms.
    expect(yield* readAt(1_767_225_600_002_000_000n)).toBe(1_767_225_600_002)
    expect(yield* readAt(5_999_999n)).toBe(5)
  }),
)
