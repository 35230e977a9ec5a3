import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Outbox } from "../../ports/Outbox.ts"
import type { OutboxSignal } from "../OutboxSignal.ts"
import { logAndContinue } from "../logAndContinue.ts"
import type { Queues } from "./queues.ts"

/** Read with each claimed queue. */
const deliveriesEach = 16
/** Between claims and reads of a backlog: one statement for many costs little more than for few. */
const gatherMs = 25
const busyRead = 64
const busyClaim = 16
const firstIdleMs = 100
const longestIdleMs = 5_000
const afterFailureMs = 1_000

export interface ReaderPorts {
  readonly outbox: Outbox["Service"]
  readonly signal: OutboxSignal["Service"]
  readonly queues: Queues
  readonly clock: Clock.Clock
  readonly leaseMs: number
  /** Ends while nothing speaks against reading. */
  readonly ready: Effect.Effect<unknown>
}

/**
 * Claims queues until they are stopped: at once after a commit in this process, and otherwise when something comes due.
 * What was committed may lie in a queue that is just being released, here or elsewhere, so it is looked for again soon, and
 * ever more seldom while nothing comes.
 */
export const claimQueues = ({ outbox, signal, queues, clock, leaseMs, ready }: ReaderPorts): Effect.Effect<void> => {
  /** The number of queues that it brought, whether there may be more, and when the next delivery comes due. */
  const claim = Effect.gen(function* () {
    const { limit, except } = queues.claimRequest()
    if (limit <= 0) return { count: 0, more: false, nextDueAt: undefined }
    const askedAt = queues.monotonicMs()
    const request = { now: clock.currentTimeMillisUnsafe(), limit, deliveries: deliveriesEach, leaseMs }
    const claimed = yield* outbox.claim({ ...request, ...(except.length > 0 && { except }) })
    for (const queue of claimed.queues) queues.takeIn(queue, { askedAt, limit: deliveriesEach, isClaim: true })
    const count = claimed.queues.length
    return { count, more: count === limit, nextDueAt: claimed.nextDueAt }
  })

  /** Waits until a claim may bring something: true after a commit in this process. */
  const waitFor = (ms: number) =>
    Effect.timeoutOption(
      Effect.raceFirst(
        Effect.gen(function* () {
          while (!queues.wake(yield* signal.rung));
          return true
        }),
        Effect.as(queues.wanted.await, false),
      ),
      ms,
    )

  return Effect.gen(function* () {
    let idleMs = firstIdleMs
    while (!queues.isStopping()) {
      yield* ready
      const claimed = yield* logAndContinue("The outbox could not be read")(claim)
      if (claimed === undefined) {
        yield* Effect.sleep(afterFailureMs)
        continue
      }
      if (claimed.count >= busyClaim) yield* Effect.sleep(gatherMs)
      if (claimed.more) continue
      idleMs = claimed.count > 0 ? firstIdleMs : Math.min(idleMs * 2, longestIdleMs)
      const dueMs = (claimed.nextDueAt ?? Number.POSITIVE_INFINITY) - clock.currentTimeMillisUnsafe()
      const restMs = Math.min(idleMs, Math.max(Math.min(dueMs, queues.quietMs()), firstIdleMs))
      const woken = yield* waitFor(restMs)
      if (woken._tag === "Some" && woken.value) idleMs = firstIdleMs
      queues.wanted.closeUnsafe()
    }
  })
}

/** Reads leased queues of which more is wanted. */
export const readQueues = ({ outbox, queues, clock, ready }: ReaderPorts): Effect.Effect<never> => {
  const read = Effect.gen(function* () {
    const request = queues.readRequest()
    if (request.length === 0) return 0
    const askedAt = queues.monotonicMs()
    const found = yield* outbox.read(request, clock.currentTimeMillisUnsafe())
    const answers = new Map(found.map((queue) => [queue.lease.token, queue]))
    let count = 0
    for (const { lease, limit } of request) {
      const answer = answers.get(lease.token)
      if (answer === undefined) queues.lose(lease)
      else queues.takeIn(answer, { askedAt, limit, isClaim: false })
      count += answer?.due.length ?? 0
    }
    return count
  })

  return Effect.forever(
    Effect.gen(function* () {
      yield* Effect.andThen(queues.turns.read.await, ready)
      const count = yield* logAndContinue("The outbox could not be read")(read)
      if (count === undefined) yield* Effect.sleep(afterFailureMs)
      else if (count >= busyRead) yield* Effect.sleep(gatherMs)
    }),
  )
}
