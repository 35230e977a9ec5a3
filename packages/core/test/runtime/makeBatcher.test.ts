import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import { makeBatcher } from "../../src/services/events/batchedOutbox.ts"

/** A batcher whose statement takes 10 ms and multiplies each input by ten. */
const openBatcher = Effect.gen(function* () {
  const batches: Array<ReadonlyArray<number>> = []
  const add = yield* makeBatcher((inputs: ReadonlyArray<number>) => {
    batches.push(inputs)
    return Effect.delay(Effect.succeed(inputs.map((input) => input * 10)), 10)
  })
  const call = (input: number) =>
    Effect.callback<number>((resume) => add(input, (answer) => resume(Effect.succeed(answer))))
  return { call, batches }
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe("makeBatcher", () => {
  it.effect("runs the first call immediately and later calls together, each with its own answer", () =>
    Effect.gen(function* () {
      const { call, batches } = yield* openBatcher
      const answers: Array<number> = []
      for (const input of [1, 2, 3]) {
        yield* Effect.forkChild(Effect.map(call(input), (answer) => answers.push(answer)))
        yield* TestClock.adjust(1)
      }
      yield* TestClock.adjust(20)
      expect(batches).toEqual([[1], [2, 3]])
      expect(answers).toEqual([10, 20, 30])
    }),
  )

  it.effect("runs at most 500 calls together, and waits after a large batch", () =>
    Effect.gen(function* () {
      const { call, batches } = yield* openBatcher
      yield* Effect.forkChild(Effect.forEach(numbers(600), call, { concurrency: "unbounded", discard: true }))
      yield* TestClock.adjust(10)
      expect(batches.map(({ length }) => length)).toEqual([500])
      yield* Effect.forkChild(call(7))
      yield* TestClock.adjust(24)
      expect(batches).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(batches.map(({ length }) => length)).toEqual([500, 101])
    }),
  )

  for (const [size, atMs] of [
    [31, 10],
    [32, 35],
  ] as const) {
    it.effect(`runs the next batch at ${atMs} ms after a batch of ${size}`, () =>
      Effect.gen(function* () {
        const { call, batches } = yield* openBatcher
        yield* Effect.forkChild(Effect.forEach(numbers(size), call, { concurrency: "unbounded", discard: true }))
        yield* TestClock.adjust(1)
        yield* Effect.forkChild(call(7))
        yield* TestClock.adjust(atMs - 2)
        expect(batches.map(({ length }) => length)).toEqual([size])
        yield* TestClock.adjust(1)
        expect(batches.map(({ length }) => length)).toEqual([size, 1])
      }),
    )
  }

  it.effect("runs the rest of a full batch without another call", () =>
    Effect.gen(function* () {
      const { call, batches } = yield* openBatcher
      yield* Effect.forkChild(Effect.forEach(numbers(501), call, { concurrency: "unbounded", discard: true }))
      yield* TestClock.adjust(100)
      expect(batches.map(({ length }) => length)).toEqual([500, 1])
    }),
  )
})
