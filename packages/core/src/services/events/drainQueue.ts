import * as Effect from "effect/Effect"
import type { DueDelivery } from "../../ports/Outbox.ts"
import type { Verdict } from "./attempt.ts"
import type { BatchedOutbox } from "./batchedOutbox.ts"
import { type DispatchState, type EndpointQueue, orderKey } from "./DispatchState.ts"

export interface DrainPorts {
  readonly state: DispatchState
  readonly outbox: BatchedOutbox
  readonly attempt: (delivery: DueDelivery, mayBegin: () => boolean) => Effect.Effect<Verdict>
}

const afterFailureMs = 1_000
/** A failing endpoint's queue is free a little before this process tries the endpoint again, and so finds it. */
const headStartMs = 100

/** Sends what is due in a leased queue until nothing is left that can be sent now, then releases it. */
export const drainQueue = Effect.fnUntraced(function* (ports: DrainPorts, queue: EndpointQueue) {
  const { state, outbox } = ports
  while ((yield* beginDue(ports, queue)) && (yield* awaitMore(queue)) && (yield* readNext(ports, queue)));
  while (queue.underWay.size > 0) yield* queue.change
  queue.isReleasing = true
  // One whose lease was about to end is claimed again at once: it was not drained.
  queue.hasMore = !queue.holdsLease(state.now())
  const delayMs = Math.max(queue.endpoint.breaker.coolDownUntil - state.now() - headStartMs, 0)
  yield* outbox.release({ lease: queue.lease, delayMs })
  state.remove(queue)
})

/** Begins what was read as the endpoint takes it, in order; false when the queue should be released instead. */
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

/** Makes one attempt and settles it; until that is written its charge's next delivery waits. */
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
    return outbox.settle({ lease, eventId: delivery.event.id, number: delivery.attempt, fate, attempt: made }, end)
  })
}

/** Waits until another read may bring something; false when nothing is left that this process knows of. */
const awaitMore = Effect.fnUntraced(function* (queue: EndpointQueue) {
  while (!queue.hasMore && queue.underWay.size > 0) yield* queue.change
  return queue.hasMore
})

/** Reads what comes next; false when the queue should be released instead. */
const readNext = Effect.fnUntraced(function* ({ state, outbox }: DrainPorts, queue: EndpointQueue) {
  if (!queue.endpoint.isOpen() || !queue.holdsLease(state.now())) return false
  const { lease } = queue
  // The read may not see that they are settled meanwhile.
  const known = new Set(queue.underWay.values())
  const limit = queue.nextReadSize(state.now()) + known.size
  queue.due = []
  queue.hasMore = false
  const due = yield* outbox.read({ lease, limit })
  if (due === "failed") yield* Effect.sleep(afterFailureMs)
  // Leased again meanwhile: what was read under the lost lease may be out of date.
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
