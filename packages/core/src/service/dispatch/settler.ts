import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { Outbox, Settlement } from "../../ports/Outbox.ts"
import { logAndContinue } from "../logAndContinue.ts"

const largestBatch = 500
/** After one of this size the next is waited for a little: it will be larger, and cost hardly more. */
const busyBatch = 32
const gatherMs = 25
const firstPauseMs = 100
const longestPauseMs = 2_000

/**
 * Writes settlements in batches. The first goes at once; what comes while it is written goes together in the next, so
 * that a busy dispatcher settles hundreds by one statement and an idle one waits for nothing. A failed write is tried
 * again until it holds: the fencing token makes a late one harmless.
 */
export const makeSettler = (outbox: Outbox["Service"], onSettled: (batch: ReadonlyArray<Settlement>) => void) => {
  let waiting: Array<Settlement> = []
  const some = Latch.makeUnsafe()
  /** Closed while a write fails: what is known here and not there must not be claimed and told once more. */
  const well = Latch.makeUnsafe(true)

  const write = Effect.fnUntraced(function* (batch: ReadonlyArray<Settlement>) {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const settling = outbox.settle(batch, yield* Clock.currentTimeMillis)
      if ((yield* logAndContinue("Deliveries could not be settled")(settling)) !== undefined) {
        well.openUnsafe()
        return
      }
      well.closeUnsafe()
      yield* Effect.sleep(pauseMs)
    }
  })

  const run = Effect.forever(
    Effect.gen(function* () {
      yield* some.await
      some.closeUnsafe()
      while (waiting.length > 0) {
        const batch = waiting.slice(0, largestBatch)
        waiting = waiting.slice(largestBatch)
        yield* write(batch)
        onSettled(batch)
        if (batch.length >= busyBatch) yield* Effect.sleep(gatherMs)
      }
    }),
  )

  const add = (settlement: Settlement): void => {
    waiting.push(settlement)
    some.openUnsafe()
  }

  return { add, run, well }
}
