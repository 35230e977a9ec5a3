import * as Effect from "effect/Effect"
import type { DueDelivery, LeasedQueue, Outbox } from "../../ports/Outbox.ts"
import { nextDelayMs } from "../../runtime/breaker.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import { type DispatchState, EndpointQueue, leaseMs, orderKey, queueKey } from "./DispatchState.ts"
import type { OutboxSignal } from "./OutboxSignal.ts"
import type { Verdict } from "./attempt.ts"
import type { BatchedOutbox } from "./batchedOutbox.ts"

export interface ClaimPorts {
  readonly state: DispatchState
  readonly outbox: Outbox["Service"]
  readonly ready: Effect.Effect<void>
  readonly drain: (queue: EndpointQueue) => Effect.Effect<unknown>
}

const maxLeased = 4_096
const maxClaimed = 256
const deliveriesEach = 16
/** After a claim of this number of queues, commits gather for `gatherMs`. */
const busyClaim = 16
const gatherMs = 25
const idle = { firstMs: 100, maxMs: 5_000 }
const afterFailureMs = 1_000

/** Drains a claimed queue, unless this process drains it already. */
const takeIn = (
  { state, drain }: ClaimPorts,
  { lease, due }: LeasedQueue,
  leasedAt: number,
): Effect.Effect<unknown> => {
  const known = state.queues.get(queueKey(lease))
  if (known === undefined || known.isReleasing) {
    const queue = new EndpointQueue(state.endpoint(lease.endpointId), lease, leasedAt)
    // The claim of an old lease brings no deliveries.
    queue.fill(due, due.length === 0 || due.length >= deliveriesEach, state.now())
    state.add(queue)
    return drain(queue)
  }
  // The lease was lost, and claimed again. Attempts under way must end before more deliveries of their charges are sent.
  Object.assign(known, { lease, leasedAt, isLost: false })
  known.noteCommit()
  return Effect.void
}

export const claim = Effect.fnUntraced(function* (ports: ClaimPorts) {
  const { state, outbox } = ports
  const limit = Math.min(maxLeased - state.queues.size, maxClaimed)
  if (limit <= 0) return { count: 0, hasMore: false, nextDueAt: 0 }
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

interface Wakes {
  readonly signal: OutboxSignal["Service"]
  /** Ends when a look finds a due delivery. */
  readonly due: Effect.Effect<void>
}

/** Waits for work, at most `ms`. True after a commit in this process. */
const awaitWork = Effect.fnUntraced(function* ({ state }: ClaimPorts, { signal, due }: Wakes, ms: number) {
  const committed = Effect.gen(function* () {
    while (!state.noteCommits(yield* signal.next));
    return true
  })
  const wanted = Effect.raceFirst(state.claimWanted.await, due)
  const woken = yield* Effect.timeoutOption(Effect.raceFirst(committed, Effect.as(wanted, false)), ms)
  state.claimWanted.closeUnsafe()
  return woken._tag === "Some" && woken.value
})

/**
 * Claims after each commit here, and when deliveries come due. If the claim left a due delivery, claims again soon, then at
 * growing intervals.
 */
export const claimQueues = Effect.fnUntraced(function* (ports: ClaimPorts, { signal, due }: Wakes) {
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
    const waitMs = Math.max(Math.min(dueMs > 0 ? dueMs : idleMs, state.nextCoolDownEndMs()), idle.firstMs)
    if (yield* awaitWork(ports, { signal, due: dueMs > 0 ? due : Effect.never }, waitMs)) idleMs = idle.firstMs
  }
})

export interface DrainPorts {
  readonly state: DispatchState
  readonly outbox: BatchedOutbox
  readonly attempt: (delivery: DueDelivery, mayBegin: () => boolean) => Effect.Effect<Verdict>
}

/** This process reclaims a failing endpoint's queue first after the cool-down. */
const headStartMs = 100

/** Releases the queue once no delivery can be sent now. */
export const drainQueue = Effect.fnUntraced(function* (ports: DrainPorts, queue: EndpointQueue) {
  const { state, outbox } = ports
  while ((yield* beginDue(ports, queue)) && (yield* awaitMore(queue)) && (yield* readNext(ports, queue)));
  while (queue.underWay.size > 0) yield* queue.change
  if (!queue.isReleasing) {
    queue.isReleasing = true
    // If the lease was about to end, the queue can have more deliveries.
    queue.hasMore = !queue.holdsLease(state.now())
    const delayMs = Math.max(queue.endpoint.breaker.coolDownUntil - state.now() - headStartMs, 0)
    yield* outbox.release({ lease: queue.lease, delayMs })
  }
  state.remove(queue)
})

/** Returns false if the queue should be released. */
const beginDue = Effect.fnUntraced(function* (ports: DrainPorts, queue: EndpointQueue) {
  const { endpoint, underWay } = queue
  const isIdle = () => underWay.size === 0
  for (const delivery of queue.due) {
    const key = orderKey(delivery)
    if (underWay.has(key)) {
      queue.blocking.add(key)
      continue
    }
    if (!(yield* endpoint.take(isIdle))) return false
    const now = ports.state.now()
    const isHeld = queue.holdsLease(now)
    if (!isHeld || queue.isStale(now)) {
      endpoint.releasePermit()
      queue.hasMore = true
      return isHeld
    }
    queue.begin(delivery)
    yield* Effect.forkChild(send(ports, queue, delivery))
  }
  return true
})

const send = ({ state, outbox, attempt }: DrainPorts, queue: EndpointQueue, delivery: DueDelivery) => {
  const { lease, endpoint } = queue
  const end = () => queue.end(delivery)
  const mayBegin = () => queue.holdsLease(state.now())
  return Effect.map(attempt(delivery, mayBegin), (verdict) => {
    if (verdict._tag === "Untried") {
      endpoint.pause()
      endpoint.releasePermit()
      return end()
    }
    const { outcome, fate, attempt: made } = verdict
    endpoint.learn(outcome, made.latencyMs)
    const settlement = { lease, eventId: delivery.event.id, number: delivery.number, fate, attempt: made }
    queue.isReleasing ||= fate._tag === "Delivered" && queue.lease === lease && queue.isEnding
    return outbox.settle(queue.isReleasing ? { ...settlement, releases: true } : settlement, end)
  })
}

const awaitMore = Effect.fnUntraced(function* (queue: EndpointQueue) {
  queue.isBegun = true
  while (!queue.hasMore && queue.underWay.size > 0) yield* queue.change
  queue.isBegun = false
  return queue.hasMore && !queue.isReleasing
})

const readNext = Effect.fnUntraced(function* ({ state, outbox }: DrainPorts, queue: EndpointQueue) {
  if (!queue.endpoint.isOpen() || !queue.holdsLease(state.now())) return false
  const { lease } = queue
  // The read can miss settlements that are written meanwhile.
  const known = new Set(queue.underWay.values())
  const limit = queue.nextReadSize(state.now()) + known.size
  queue.due = []
  queue.hasMore = false
  const due = yield* outbox.read({ lease, limit })
  if (due === "failed") yield* Effect.sleep(afterFailureMs)
  // The queue was leased again meanwhile: deliveries read under the lost lease can be out of date.
  if (due === "failed" || queue.lease !== lease) queue.hasMore = true
  else if (due === "lost") queue.isLost = true
  else
    queue.fill(
      due.filter(({ event }) => !known.has(event.id)),
      due.length >= limit,
      state.now(),
    )
  return !queue.isLost
})
