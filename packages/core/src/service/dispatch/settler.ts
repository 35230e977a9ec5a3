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

/** What is done with each batch: before it is written for the first time, and once it holds. */
export interface SettlerHooks {
  readonly closing: (batch: ReadonlyArray<Settlement>) => ReadonlyArray<Settlement>
  readonly settled: (batch: ReadonlyArray<Settlement>) => void
}

/**
 * Writes settlements in batches. The first goes at once; what comes while it is written goes together in the next, so
 * that a busy dispatcher settles hundreds by one statement and an idle one waits for nothing. A failed write is tried
 * again until it holds: the fencing token makes a late one harmless.
 */
export const makeSettler = (outbox: Outbox["Service"]) => {
  let waiting: Array<Settlement> = []
  const some = Latch.makeUnsafe()
  /** Closed while a write fails: what is known here and not there must not be claimed and sent once more. */
  const writable = Latch.makeUnsafe(true)

  const write = Effect.fnUntraced(function* (batch: ReadonlyArray<Settlement>) {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const settling = outbox.settle(batch, yield* Clock.currentTimeMillis)
      if ((yield* logAndContinue("Deliveries could not be settled")(settling)) !== undefined) {
        writable.openUnsafe()
        return
      }
      writable.closeUnsafe()
      yield* Effect.sleep(pauseMs)
    }
  })

  const run = ({ closing, settled }: SettlerHooks) =>
    Effect.forever(
      Effect.gen(function* () {
        yield* some.await
        some.closeUnsafe()
        while (waiting.length > 0) {
          const batch = closing(waiting.slice(0, largestBatch))
          waiting = waiting.slice(largestBatch)
          yield* write(batch)
          settled(batch)
          if (batch.length >= busyBatch) yield* Effect.sleep(gatherMs)
        }
      }),
    )

  const add = (settlement: Settlement): void => {
    waiting.push(settlement)
    some.openUnsafe()
  }

  return { add, run, writable }
}
