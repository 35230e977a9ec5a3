import { it } from "@pixcharge/testkit"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { longestWaitMs, makeGate, mostFailures, openMs } from "../../src/http/Gate.ts"

const times = (n: number, effect: Effect.Effect<void>) => Effect.forEach(Array.from({ length: n }), () => effect)

describe("the gate before a bank", () => {
  it.effect("calls in a row without an answer open the circuit, and none is made for a while", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures - 1, gate.failed)
      yield* gate.pass
      yield* gate.failed
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ reason: "circuitOpen", retryAfterMs: openMs })
      yield* TestClock.adjust(openMs - 1)
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ retryAfterMs: 1 })
    }),
  )

  it.effect("one answer in between, whatever it says, begins the count anew", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures - 1, gate.failed)
      yield* gate.answered
      yield* times(mostFailures - 1, gate.failed)
      yield* gate.pass
    }),
  )

  it.effect("after the while one call goes first; its answer opens the gate for all", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures, gate.failed)
      yield* TestClock.adjust(openMs)
      yield* gate.pass
      expect((yield* Effect.flip(gate.pass)).reason).toBe("circuitOpen")
      yield* gate.answered
      yield* gate.pass
      yield* gate.pass
    }),
  )

  it.effect("its failure keeps the circuit open as long again", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* times(mostFailures, gate.failed)
      yield* TestClock.adjust(openMs)
      yield* gate.pass
      yield* TestClock.adjust(openMs / 2)
      yield* gate.failed
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ retryAfterMs: openMs })
    }),
  )

  it.effect("a short pause that the bank asks for is waited out", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* gate.pause(longestWaitMs)
      const caller = yield* Effect.forkChild(gate.pass)
      yield* TestClock.adjust(longestWaitMs - 1)
      expect(caller.pollUnsafe()).toBeUndefined()
      yield* TestClock.adjust(1)
      yield* Fiber.join(caller)
    }),
  )

  it.effect("a long one is passed on to the caller, and a shorter one doesn't end it", () =>
    Effect.gen(function* () {
      const gate = makeGate()
      yield* gate.pause(60_000)
      yield* gate.pause(1_000)
      expect(yield* Effect.flip(gate.pass)).toMatchObject({ reason: "rateLimited", retryAfterMs: 60_000 })
      yield* TestClock.adjust(60_000)
      yield* gate.pass
    }),
  )
})
