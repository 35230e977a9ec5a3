import { OutboxSignal } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { eventCalled, failure, makeWorld, pass } from "./dispatching.ts"

const second = 1_000
const hour = 3_600 * second

it("measures a failing endpoint's cool-down by the monotonic clock, even if business time jumps", async () => {
  let sent = 0
  const world = makeWorld(() => {
    sent++
    return failure
  })
  for (let n = 0; n < 8; n++) world.add(eventCalled(`evt_${n}`), "down")
  await world.run(
    Effect.gen(function* () {
      yield* pass(second)
      const before = sent
      expect(before).toBeGreaterThanOrEqual(5)
      yield* world.jump(hour)
      yield* (yield* OutboxSignal).notifyAll
      yield* pass(2 * second)
      expect(sent).toBe(before)
      yield* pass(10 * second)
      expect(sent).toBeGreaterThan(before)
    }),
  )
})
