import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import { CallbackDelivery } from "../../ports/CallbackDelivery.ts"
import { CallbackEndpoints } from "../../ports/CallbackEndpoints.ts"
import { Outbox } from "../../ports/Outbox.ts"
import { logAndContinue } from "../../runtime/telemetry/logAndContinue.ts"
import { makeAttempt } from "./attempt.ts"
import { makeBatchedOutbox } from "./batchedOutbox.ts"
import type { ClaimPorts } from "./claimQueues.ts"
import { DispatchState } from "./DispatchState.ts"
import { drainQueue } from "./drainQueue.ts"
import { type EndpointQueue, leaseMs } from "./EndpointQueue.ts"
import { oldestAge, queueDepth } from "./metrics.ts"

const renewEveryMs = 10_000
const measureEveryMs = 15_000
const refreshEveryMs = 1_000
const lookUpEveryMs = 1_000
const lookUpLimitMs = 5_000
const lookUpsAtOnce = 8
/** An attempt takes 15 s at most (decision 24); the rest is for settling it. */
const drainMs = 20_000

/**
 * Opens what sends the outbox's events for as long as the scope lives. The caller makes the claims, and runs `close` before
 * the scope ends.
 */
export const openDispatch = Effect.gen(function* () {
  const outbox = yield* Outbox
  const endpoints = yield* CallbackEndpoints
  const clock = yield* Clock.Clock
  const source = yield* Random.Random
  const state = new DispatchState(clock)
  const batched = yield* makeBatchedOutbox(outbox)
  const attempt = makeAttempt({
    endpoints,
    delivery: yield* CallbackDelivery,
    clock,
    random: () => source.nextDoubleUnsafe(),
  })
  const drains = yield* FiberSet.make()

  const every = <E>(ms: number, complaint: string, work: Effect.Effect<void, E>) =>
    Effect.forkScoped(Effect.forever(Effect.andThen(logAndContinue(complaint)(work), Effect.sleep(ms))))
  yield* Effect.forkScoped(state.wakeEndpoints)
  yield* every(renewEveryMs, "Leases could not be renewed", renewLeases(state, outbox))
  yield* every(
    refreshEveryMs,
    "Queues could not be read again",
    Effect.sync(() => state.refresh()),
  )
  yield* every(lookUpEveryMs, "Endpoints could not be looked up", lookUpPaused(state, endpoints))
  yield* every(measureEveryMs, "The outbox could not be measured", measure(clock, outbox))

  const ports: ClaimPorts = {
    state,
    outbox,
    ready: batched.writable,
    drain: (queue: EndpointQueue) => FiberSet.run(drains, drainQueue({ state, outbox: batched, attempt }, queue)),
  }
  const drained = FiberSet.awaitEmpty(drains)
  return {
    state,
    ports,
    /** Waits until no queue is leased. */
    drained,
    /**
     * Stops beginning attempts, and settles those under way. `claimed` waits for a claim that is under way: its queues must
     * be released, not left to their leases.
     */
    close: (claimed: Effect.Effect<unknown> = Effect.void) =>
      Effect.suspend(() => {
        state.stop()
        return Effect.timeoutOption(Effect.interruptible(Effect.andThen(claimed, drained)), drainMs)
      }),
  }
})

const renewLeases = Effect.fnUntraced(function* (state: DispatchState, outbox: Outbox["Service"]) {
  const requestedAt = state.now()
  const queues = [...state.queues.values()].filter(({ leasedAt }) => leasedAt <= requestedAt - renewEveryMs / 2)
  if (queues.length === 0) return
  const leases = queues.map(({ lease }) => lease)
  const held = new Set(yield* outbox.renew(leases, leaseMs))
  for (const [at, queue] of queues.entries()) {
    if (queue.lease !== leases[at]) continue
    if (held.has(queue.lease.token)) queue.leasedAt = requestedAt
    else queue.isLost = true
  }
})

/** Looks up paused endpoints, whose deliveries go on once they are enabled. So do those of one that is gone, to be recorded. */
const lookUpPaused = (state: DispatchState, endpoints: CallbackEndpoints["Service"]) =>
  Effect.suspend(() =>
    Effect.forEach(
      [...state.endpoints.values()].filter(({ paused }) => paused !== undefined && paused.until <= state.now()),
      Effect.fnUntraced(function* (endpoint) {
        const lookUp = Effect.suspend(() => endpoints.find(endpoint.endpointId))
        const found = yield* Effect.exit(Effect.timeout(lookUp, lookUpLimitMs))
        if (found._tag !== "Success" || (found.value?.status ?? "enabled") !== "enabled") return endpoint.pause()
        endpoint.paused = undefined
        state.claimWanted.openUnsafe()
      }),
      { concurrency: lookUpsAtOnce, discard: true },
    ),
  )

const measure = Effect.fnUntraced(function* (clock: Clock.Clock, outbox: Outbox["Service"]) {
  const { waiting, oldestAt = Number.POSITIVE_INFINITY } = yield* outbox.depth
  yield* Metric.update(queueDepth, waiting)
  yield* Metric.update(oldestAge, Math.max(0, clock.currentTimeMillisUnsafe() - oldestAt))
})
