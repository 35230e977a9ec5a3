import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { DueDelivery, Outbox, QueueLease, Settlement } from "../../ports/Outbox.ts"
import { logAndContinue } from "../logAndContinue.ts"
import { makeBatcher } from "./makeBatcher.ts"

interface ReadRequest {
  readonly lease: QueueLease
  readonly limit: number
}

/** A lease that is to be ended, so that others can have the queue after so many milliseconds. */
interface Release {
  readonly lease: QueueLease
  readonly restMs: number
}

const largestBatch = 500
const gatherMs = 25
const busySettlements = 32
const busyDeliveries = 64
const firstPauseMs = 100
const longestPauseMs = 2_000

const dueCount = (answers: ReadonlyArray<ReadonlyArray<DueDelivery> | string>): number =>
  answers.reduce((count, due) => count + (typeof due === "string" ? 0 : due.length), 0)

/** The outbox as the fibers of one process use it together: what they ask for at one time goes in one statement. */
export const makeBatchedOutbox = Effect.fnUntraced(function* (outbox: Outbox["Service"]) {
  /** Closed while a settlement can't be written: what is known here and not there must not be claimed and sent again. */
  const writable = Latch.makeUnsafe(true)

  /** Tried again until it holds: the lease's token makes a late one harmless. */
  const writeSettlements = Effect.fnUntraced(function* (batch: ReadonlyArray<Settlement>) {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const settling = outbox.settle(batch, yield* Clock.currentTimeMillis)
      if ((yield* logAndContinue("Deliveries could not be settled")(settling)) !== undefined) break
      writable.closeUnsafe()
      yield* Effect.sleep(pauseMs)
    }
    writable.openUnsafe()
    return batch.map(() => undefined)
  })

  const readQueues = Effect.fnUntraced(function* (requests: ReadonlyArray<ReadRequest>) {
    yield* writable.await
    const reading = outbox.read(requests, yield* Clock.currentTimeMillis)
    const found = yield* logAndContinue("The outbox could not be read")(reading)
    const dueByToken = new Map(found?.map(({ lease, due }) => [lease.token, due]))
    return requests.map(({ lease }) => (found === undefined ? "failed" : (dueByToken.get(lease.token) ?? "lost")))
  })

  /** A failure is logged only: the lease ends by itself. */
  const releaseLeases = Effect.fnUntraced(function* (releases: ReadonlyArray<Release>) {
    for (const restMs of new Set(releases.map((one) => one.restMs))) {
      const leases = releases.flatMap((one) => (one.restMs === restMs ? [one.lease] : []))
      yield* logAndContinue("Leases could not be released")(outbox.release(leases, restMs))
    }
    return releases.map(() => undefined)
  })

  return {
    writable: writable.await,
    /** Ends once it is written. */
    settle: yield* makeBatcher({
      run: writeSettlements,
      largest: largestBatch,
      isBusy: ({ length }) => length >= busySettlements,
      gatherMs,
    }),
    /** What comes next in the queue; or that the store failed, or the lease was lost. */
    read: yield* makeBatcher<ReadRequest, ReadonlyArray<DueDelivery> | "failed" | "lost">({
      run: readQueues,
      largest: largestBatch,
      isBusy: (answers) => dueCount(answers) >= busyDeliveries,
      gatherMs,
    }),
    release: yield* makeBatcher({ run: releaseLeases, largest: largestBatch, isBusy: () => false, gatherMs }),
  }
})

export type BatchedOutbox = Effect.Success<ReturnType<typeof makeBatchedOutbox>>
