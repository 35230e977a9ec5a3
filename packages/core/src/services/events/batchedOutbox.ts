import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"
import type { DueDelivery, Outbox, QueueLease, Settlement } from "../../ports/Outbox.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"

interface ReadRequest {
  readonly lease: QueueLease
  readonly limit: number
}

interface Release {
  readonly lease: QueueLease
  readonly delayMs: number
}

const toEffect =
  <In, Out>(add: (input: In, answer: (out: Out) => void) => void) =>
  (input: In): Effect.Effect<Out> =>
    Effect.callback((resume) => add(input, (out) => resume(Effect.succeed(out))))

const backOff = { firstMs: 100, maxMs: 2_000 }

/** Puts simultaneous calls of one process in one statement. */
export const makeBatchedOutbox = Effect.fnUntraced(function* (outbox: Outbox["Service"]) {
  /** Closed while a settlement can't be written: a claim would send its delivery again. */
  const writable = Latch.makeUnsafe(true)

  /** Retries until it succeeds. */
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

  const release = Effect.fnUntraced(function* (batch: ReadonlyArray<Release>) {
    for (const delayMs of new Set(batch.map((one) => one.delayMs))) {
      const leases = batch.flatMap((one) => (one.delayMs === delayMs ? [one.lease] : []))
      yield* logAndContinue("Leases could not be released")(outbox.release(leases, delayMs))
    }
    return batch.map(() => undefined)
  })

  return {
    writable: writable.await,
    settle: yield* makeBatcher(settle),
    /** `failed` if the store failed, `lost` if the lease was lost. */
    read: toEffect(yield* makeBatcher<ReadRequest, ReadonlyArray<DueDelivery> | "failed" | "lost">(read)),
    release: toEffect(yield* makeBatcher(release)),
  }
})

export type BatchedOutbox = Effect.Success<ReturnType<typeof makeBatchedOutbox>>

interface Call<In, Out> {
  readonly input: In
  readonly answer: (out: Out) => void
}

const maxBatch = 500
/** After a batch of this size, calls gather for `gatherMs`. */
const busyBatch = 32
const gatherMs = 25

/**
 * `run` executes a batch in one statement and returns its answers in order. The first call runs immediately; calls that arrive
 * meanwhile form the next batch.
 */
export const makeBatcher = Effect.fnUntraced(function* <In, Out>(
  run: (inputs: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>>,
): Effect.fn.Return<(input: In, answer: (out: Out) => void) => void, never, Scope.Scope> {
  let waiting: Array<Call<In, Out>> = []
  const some = Latch.makeUnsafe()

  const runNext = Effect.gen(function* () {
    yield* some.await
    yield* Effect.yieldNow
    const batch = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    if (waiting.length === 0) some.closeUnsafe()
    const answers = yield* run(batch.map(({ input }) => input))
    for (const [index, answer] of answers.entries()) batch[index]?.answer(answer)
    if (batch.length >= busyBatch) yield* Effect.sleep(gatherMs)
  })
  yield* Effect.forkScoped(Effect.forever(runNext))

  return (input, answer) => {
    waiting.push({ input, answer })
    some.openUnsafe()
  }
})
