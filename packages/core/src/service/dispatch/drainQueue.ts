import * as Effect from "effect/Effect"
import type { DueDelivery } from "../../ports/Outbox.ts"
import type { Verdict } from "./attempt.ts"
import type { BatchedOutbox } from "./batchedOutbox.ts"
import type { DispatchState } from "./DispatchState.ts"
import { awaitChange, type EndpointQueue, holdsLease, isStale, mayHoldMore, orderKey } from "./EndpointQueue.ts"
import type { Permit } from "./EndpointState.ts"

export interface DrainPorts {
  readonly state: DispatchState
  readonly outbox: BatchedOutbox
  readonly attempt: (delivery: DueDelivery) => Effect.Effect<Verdict>
}

const afterFailureMs = 1_000
/** A failing endpoint's queue is free a little before this process tries the endpoint again, and so finds it. */
const headStartMs = 100

/** Makes one attempt and settles it; until then its charge's next delivery waits. */
const send = Effect.fnUntraced(function* (
  { state, outbox, attempt }: DrainPorts,
  {
    queue,
    permit,
    delivery,
  }: { readonly queue: EndpointQueue; readonly permit: Permit; readonly delivery: DueDelivery },
) {
  const { lease, endpoint } = queue
  const verdict = yield* attempt(delivery)
  if (verdict._tag === "Attempted") {
    const { outcome, fate, attempt: made } = verdict
    endpoint.learn(permit, outcome, made.latencyMs)
    if (fate._tag === "Retry") state.nextRetryAt = Math.min(state.nextRetryAt, fate.at)
    yield* outbox.settle({ lease, eventId: delivery.event.id, number: delivery.attempt, fate, attempt: made })
  } else {
    endpoint.pause()
    endpoint.giveBack(permit)
  }
  queue.underWay.delete(orderKey(delivery))
  queue.changed.openUnsafe()
})

/** Begins what was read as the endpoint takes it, in order; false when the queue should be released instead. */
const beginDue = Effect.fnUntraced(function* (ports: DrainPorts, queue: EndpointQueue) {
  const { endpoint, underWay } = queue
  const isIdle = () => underWay.size === 0
  for (const delivery of queue.due) {
    const key = orderKey(delivery)
    if (underWay.has(key)) {
      queue.blocked.add(key)
      continue
    }
    const permit = yield* endpoint.take(isIdle)
    if (permit === undefined) return false
    const now = ports.state.now()
    const isHeld = holdsLease(queue, now)
    if (!isHeld || isStale(queue, now)) {
      endpoint.giveBack(permit)
      queue.hasMore = true
      return isHeld
    }
    underWay.set(key, delivery.event.id)
    yield* Effect.forkChild(send(ports, { queue, permit, delivery }))
  }
  return true
})

/** Reads what comes next; false when the queue should be released instead. */
const readNext = Effect.fnUntraced(function* ({ state, outbox }: DrainPorts, queue: EndpointQueue) {
  if (!queue.endpoint.isOpen() || !holdsLease(queue, state.now())) return false
  const { lease } = queue
  // The read may not see that they are settled meanwhile.
  const known = new Set(queue.underWay.values())
  const limit = queue.endpoint.readSize() + known.size
  queue.hasMore = false
  queue.blocked.clear()
  const due = yield* outbox.read({ lease, limit })
  queue.due = []
  if (due === "failed") yield* Effect.sleep(afterFailureMs)
  if (due === "failed" || queue.lease !== lease) queue.hasMore = true
  else if (due === "lost") queue.isLost = true
  else {
    queue.due = due.filter(({ event }) => !known.has(event.id))
    queue.readAt = state.now()
    queue.hasMore ||= due.length >= limit
  }
  return !queue.isLost
})

/** Sends what is due in a leased queue until nothing is left that can be sent now, then releases it. */
export const drainQueue = Effect.fnUntraced(function* (ports: DrainPorts, queue: EndpointQueue) {
  const { state, outbox } = ports
  let goesOn = true
  while (goesOn) {
    goesOn = yield* beginDue(ports, queue)
    while (goesOn && !mayHoldMore(queue)) {
      if (queue.underWay.size > 0) yield* awaitChange(queue)
      else goesOn = false
    }
    goesOn &&= yield* readNext(ports, queue)
  }
  while (queue.underWay.size > 0) yield* awaitChange(queue)
  queue.isReleasing = true
  queue.hasMore = false
  const restMs = Math.max(queue.endpoint.breaker.restsUntil - state.now() - headStartMs, 0)
  yield* outbox.release({ lease: queue.lease, restMs })
  state.remove(queue)
})
