import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import { CallbackDelivery } from "../ports/CallbackDelivery.ts"
import { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import { Outbox } from "../ports/Outbox.ts"
import { makeAttempt } from "./dispatch/attempt.ts"
import { makeBatchedOutbox } from "./dispatch/batchedOutbox.ts"
import { claimQueues } from "./dispatch/claimQueues.ts"
import { DispatchState } from "./dispatch/DispatchState.ts"
import { drainQueue } from "./dispatch/drainQueue.ts"
import { leaseMs } from "./dispatch/EndpointQueue.ts"
import { oldestAge, queueDepth } from "./dispatch/metrics.ts"
import { logAndContinue } from "./logAndContinue.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

const renewEveryMs = 10_000
const measureEveryMs = 15_000
const sweepEveryMs = 1_000
const lookUpEveryMs = 1_000
const lookUpLimitMs = 5_000
const lookUpsAtOnce = 8
/** An attempt takes 15 s at most (decision 24); the rest is for settling it. */
const drainMs = 20_000

/** What the dispatcher of this process is doing. */
export interface DispatcherHealth {
  /** Attempts under way. */
  readonly inFlight: number
  /** Endpoints that keep failing and are left alone until then: epoch milliseconds of business time. */
  readonly failing: ReadonlyArray<{ readonly endpointId: string; readonly until: number }>
}

/**
 * Sends the outbox's events to their endpoints for as long as its layer lives; any number of processes may run one. Each
 * company's events for an endpoint are sent by one process at a time, which leases their queue. Every event arrives at
 * least once, under one id. No endpoint delays another. When the layer ends nothing new is begun, what is under way is
 * awaited and settled, and the leases are released for other processes.
 */
export class EventDispatcher extends Context.Service<
  EventDispatcher,
  {
    /** What it is doing at this moment. */
    readonly health: Effect.Effect<DispatcherHealth>
  }
>()("@pixcharge/core/service/EventDispatcher") {
  static readonly layer = Layer.effect(EventDispatcher, Effect.suspend(make))
}

function make() {
  return Effect.gen(function* () {
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
      sweepEveryMs,
      "Queues could not be read anew",
      Effect.sync(() => state.sweep()),
    )
    yield* every(lookUpEveryMs, "Endpoints could not be looked up", lookUpPaused(state, endpoints))
    yield* every(measureEveryMs, "The outbox could not be measured", measure(clock, outbox))
    const claiming = yield* Effect.forkScoped(
      claimQueues({
        state,
        outbox,
        signal: yield* OutboxSignal,
        ready: batched.writable,
        drain: (queue) => FiberSet.run(drains, drainQueue({ state, outbox: batched, attempt }, queue)),
      }),
    )

    const drain = Effect.gen(function* () {
      state.stop()
      // Not interrupted: what a claim under way brings must be released, not left to its lease.
      yield* Fiber.await(claiming)
      yield* FiberSet.awaitEmpty(drains)
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), drainMs))

    return EventDispatcher.of({ health: Effect.sync(() => health(state)) })
  })
}

const renewLeases = Effect.fnUntraced(function* (state: DispatchState, outbox: Outbox["Service"]) {
  const askedAt = state.now()
  const queues = [...state.queues.values()].filter(({ leasedAt }) => leasedAt <= askedAt - renewEveryMs / 2)
  if (queues.length === 0) return
  const leases = queues.map(({ lease }) => lease)
  const held = new Set(yield* outbox.renew(leases, leaseMs))
  for (const [at, queue] of queues.entries()) {
    if (queue.lease !== leases[at]) continue
    if (held.has(queue.lease.token)) queue.leasedAt = askedAt
    else queue.isLost = true
  }
})

/** Looks up endpoints that took nothing: they get deliveries once they do; also one that is gone, so that it is recorded. */
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

const health = (state: DispatchState): DispatcherHealth => {
  const failing: Array<DispatcherHealth["failing"][number]> = []
  for (const { endpointId, breaker } of state.endpoints.values()) {
    const restMs = breaker.restsUntil - state.now()
    if (restMs > 0) failing.push({ endpointId, until: state.clock.currentTimeMillisUnsafe() + restMs })
  }
  return { inFlight: state.inFlight, failing }
}
