import * as Effect from "effect/Effect"
import type { LeasedQueue, Outbox } from "../../ports/Outbox.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import type { OutboxSignal } from "./OutboxSignal.ts"
import { type DispatchState, EndpointQueue, leaseMs, queueKey } from "./DispatchState.ts"

export interface ClaimPorts {
  readonly state: DispatchState
  readonly outbox: Outbox["Service"]
  /** Waits until the outbox may be claimed. */
  readonly ready: Effect.Effect<void>
  /** Sends what is in a queue, on a fiber of its own. */
  readonly drain: (queue: EndpointQueue) => Effect.Effect<unknown>
}

/** Leases that this process holds at once. */
const maxLeased = 4_096
/** In one statement: queues, and deliveries of each. */
const maxClaimed = 256
const deliveriesEach = 16
/** After a claim of this many queues the next is delayed: one statement for many costs little more than for few. */
const busyClaim = 16
const gatherMs = 25
const idle = { firstMs: 100, maxMs: 5_000 }
const afterFailureMs = 1_000

/** Takes in a queue from a claim that was requested at `leasedAt`, and has it drained unless this process drains it already. */
const takeIn = (
  { state, drain }: ClaimPorts,
  { lease, due }: LeasedQueue,
  leasedAt: number,
): Effect.Effect<unknown> => {
  const known = state.queues.get(queueKey(lease))
  if (known === undefined || known.isReleasing) {
    const queue = new EndpointQueue(state.endpoint(lease.endpointId), lease, leasedAt)
    // A queue that was leased some time ago comes without deliveries: they are read first.
    queue.fill(due, due.length === 0 || due.length >= deliveriesEach, state.now())
    state.add(queue)
    return drain(queue)
  }
  // Its lease was lost, but what is under way must end before more of the same charges is sent.
  Object.assign(known, { lease, leasedAt, isLost: false })
  known.noteCommit()
  return Effect.void
}

/** Claims once. Returns the number of queues, whether there may be more, and when the next delivery comes due. */
export const claim = Effect.fnUntraced(function* (ports: ClaimPorts) {
  const { state, outbox } = ports
  const limit = Math.min(maxLeased - state.queues.size, maxClaimed)
  if (limit <= 0) return { count: 0, hasMore: false }
  const requestedAt = state.now()
  const request = { now: state.clock.currentTimeMillisUnsafe(), limit, deliveries: deliveriesEach, leaseMs }
  const excludedEndpoints = state.listExcluded()
  const { queues, nextDueAt } = yield* outbox.claim({
    ...request,
    ...(excludedEndpoints.length > 0 && { excludedEndpoints }),
  })
  for (const queue of queues) yield* takeIn(ports, queue, requestedAt)
  return { count: queues.length, hasMore: queues.length === limit, nextDueAt }
})

/** Waits this long at most for something that may be claimed. Returns true after a commit in this process. */
const awaitWork = Effect.fnUntraced(function* ({ state }: ClaimPorts, signal: OutboxSignal["Service"], ms: number) {
  const committed = Effect.gen(function* () {
    while (!state.noteCommits(yield* signal.next));
    return true
  })
  const woken = yield* Effect.timeoutOption(Effect.raceFirst(committed, Effect.as(state.claimWanted.await, false)), ms)
  state.claimWanted.closeUnsafe()
  return woken._tag === "Some" && woken.value
})

/**
 * Claims queues until the process stops: at once after a commit in this process, and otherwise when something comes due.
 * What was committed may lie in a queue that is just being released, here or elsewhere, so it is looked for again soon, and
 * at growing intervals while nothing comes.
 */
export const claimQueues = Effect.fnUntraced(function* (ports: ClaimPorts, signal: OutboxSignal["Service"]) {
  const { state } = ports
  let idleMs = idle.firstMs
  while (!state.isStopping) {
    yield* ports.ready
    const claimed = yield* logAndContinue("The outbox could not be read")(claim(ports))
    if (claimed === undefined) {
      yield* Effect.sleep(afterFailureMs)
      continue
    }
    if (claimed.count >= busyClaim) yield* Effect.sleep(gatherMs)
    if (claimed.hasMore) continue
    idleMs = claimed.count > 0 ? idle.firstMs : nextDelayMs(idle, idleMs)
    const dueMs = (claimed.nextDueAt ?? Number.POSITIVE_INFINITY) - state.clock.currentTimeMillisUnsafe()
    const waitMs = Math.min(idleMs, Math.max(Math.min(dueMs, state.nextCoolDownEndMs()), idle.firstMs))
    if (yield* awaitWork(ports, signal, waitMs)) idleMs = idle.firstMs
  }
})
