import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { DueDelivery, Outbox, QueueLease, Settlement } from "../../ports/Outbox.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import { makeBatcher } from "../../runtime/batcher.ts"

interface ReadRequest {
  readonly lease: QueueLease
  readonly limit: number
}

/** A lease to be ended: others can have the queue after `restMs`. */
interface Release {
  readonly lease: QueueLease
  readonly delayMs: number
}

/** A batcher's calls as effects that end with their answer. */
const toEffect =
  <In, Out>(add: (input: In, answer: (out: Out) => void) => void) =>
  (input: In): Effect.Effect<Out> =>
    Effect.callback((resume) => add(input, (out) => resume(Effect.succeed(out))))

const backOff = { firstMs: 100, maxMs: 2_000 }

/** The outbox as the fibers of one process use it together: what they ask for at one time goes in one statement. */
export const makeBatchedOutbox = Effect.fnUntraced(function* (outbox: Outbox["Service"]) {
  /** Closed while a settlement can't be written: what is known here and not there must not be claimed and sent again. */
  const writable = Latch.makeUnsafe(true)

  /** Tried again until it holds: the lease's token makes a late one harmless. */
  const settle = Effect.fnUntraced(function* (batch: ReadonlyArray<Settlement>) {
    for (let delayMs = backOff.firstMs; ; delayMs = nextDelayMs(backOff, delayMs)) {
      const settling = outbox.settle(batch, yield* Clock.currentTimeMillis)
      if ((yield* logAndContinue("Deliveries could not be settled")(settling)) !== undefined) break
      writable.closeUnsafe()
      yield* Effect.sleep(delayMs)
    }
    writable.openUnsafe()
    return batch.map(() => undefined)
  })

  const read = Effect.fnUntraced(function* (batch: ReadonlyArray<ReadRequest>) {
    yield* writable.await
    const reading = outbox.read(batch, yield* Clock.currentTimeMillis)
    const found = yield* logAndContinue("The outbox could not be read")(reading)
    const dueByToken = new Map(found?.map(({ lease, due }) => [lease.token, due]))
    return batch.map(({ lease }) => (found === undefined ? "failed" : (dueByToken.get(lease.token) ?? "lost")))
  })

  /** A failure is logged only: the lease ends by itself. */
  const release = Effect.fnUntraced(function* (batch: ReadonlyArray<Release>) {
    for (const delayMs of new Set(batch.map((one) => one.delayMs))) {
      const leases = batch.flatMap((one) => (one.delayMs === delayMs ? [one.lease] : []))
      yield* logAndContinue("Leases could not be released")(outbox.release(leases, delayMs))
    }
    return batch.map(() => undefined)
  })

  return {
    /** Waits until settlements can be written. */
    writable: writable.await,
    /** Calls back once it is written. */
    settle: yield* makeBatcher(settle),
    /** What comes next in the queue; or that the store failed, or that the lease was lost. */
    read: toEffect(yield* makeBatcher<ReadRequest, ReadonlyArray<DueDelivery> | "failed" | "lost">(read)),
    release: toEffect(yield* makeBatcher(release)),
  }
})

export type BatchedOutbox = Effect.Success<ReturnType<typeof makeBatchedOutbox>>
