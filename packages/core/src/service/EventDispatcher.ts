import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import type * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import { CallbackDelivery } from "../ports/CallbackDelivery.ts"
import { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import { Outbox } from "../ports/Outbox.ts"
import { makeAttempt } from "./dispatch/attempt.ts"
import { oldestAge, queueDepth } from "./dispatch/metrics.ts"
import { makeQueues } from "./dispatch/queues.ts"
import { claimQueues, readQueues } from "./dispatch/reader.ts"
import { makeSettler } from "./dispatch/settler.ts"
import { logAndContinue } from "./logAndContinue.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

const leaseMs = 30_000
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
  { readonly health: Effect.Effect<DispatcherHealth> }
>()("@pixcharge/core/service/EventDispatcher") {
  static readonly layer = Layer.effect(EventDispatcher, Effect.suspend(make))
}

function make() {
  return Effect.gen(function* () {
    const outbox = yield* Outbox
    const endpoints = yield* CallbackEndpoints
    const clock = yield* Clock.Clock
    const source = yield* Random.Random
    const random = () => source.nextDoubleUnsafe()
    const run = yield* FiberSet.makeRuntime()
    const settler = makeSettler(outbox)
    const queues = makeQueues({
      leaseMs,
      clock,
      attempt: makeAttempt({ endpoints, delivery: yield* CallbackDelivery, clock, random }),
      settle: settler.add,
      start: (attempt, conclude) => run(Effect.map(attempt, conclude)),
    })

    /** What is lost by a failure here ends with its lease. */
    const release = Effect.gen(function* () {
      const releases = queues.takeReleases()
      for (const restMs of new Set(releases.map((one) => one.restMs))) {
        const leases = releases.flatMap((one) => (one.restMs === restMs ? [one.lease] : []))
        yield* logAndContinue("Leases could not be released")(outbox.release(leases, restMs))
        queues.released(leases)
      }
    })

    const renew = Effect.gen(function* () {
      const leased = queues.leasedBefore(renewEveryMs / 2)
      if (leased.length === 0) return
      const askedAt = queues.monotonicMs()
      const leases = leased.map(({ lease }) => lease)
      const held = new Set(yield* outbox.renew(leases, leaseMs))
      for (const [at, queue] of leased.entries()) {
        const lease = leases[at]
        if (lease === undefined || queue.lease !== lease) continue
        if (held.has(lease.token)) queue.leasedAt = askedAt
        else queues.lose(lease)
      }
    })

    /** Endpoints that took nothing are looked up again, and let in once they do; one that is gone, so that it is recorded. */
    const lookUp = Effect.suspend(() =>
      Effect.forEach(
        queues.toLookUp(),
        (endpoint) =>
          Effect.map(Effect.exit(Effect.timeout(endpoints.find(endpoint.endpointId), lookUpLimitMs)), (found) =>
            queues.lookedUp(endpoint, found._tag === "Success" && (found.value?.status ?? "enabled") === "enabled"),
          ),
        { concurrency: lookUpsAtOnce, discard: true },
      ),
    )

    const measure = Effect.gen(function* () {
      const { waiting, oldestAt = Number.POSITIVE_INFINITY } = yield* outbox.depth
      yield* Metric.update(queueDepth, waiting)
      yield* Metric.update(oldestAge, Math.max(0, clock.currentTimeMillisUnsafe() - oldestAt))
    })

    const every = <E>(ms: number, complaint: string, work: Effect.Effect<void, E>) =>
      Effect.forkScoped(Effect.forever(Effect.andThen(logAndContinue(complaint)(work), Effect.sleep(ms))))
    const whenever = (turn: Latch.Latch, work: Effect.Effect<void>) =>
      Effect.forkScoped(Effect.forever(Effect.andThen(turn.await, work)))
    const ports = {
      outbox,
      signal: yield* OutboxSignal,
      queues,
      clock,
      leaseMs,
      ready: settler.writable.await,
    }

    yield* Effect.forkScoped(settler.run(queues))
    yield* whenever(queues.turns.advance, Effect.sync(queues.advanceMarked))
    yield* whenever(queues.turns.release, release)
    yield* Effect.forkScoped(readQueues(ports))
    const { somePaused, someLeased } = queues
    yield* every(renewEveryMs, "Leases could not be renewed", Effect.andThen(someLeased.await, renew))
    yield* every(
      sweepEveryMs,
      "Queues could not be read anew",
      Effect.andThen(someLeased.await, Effect.sync(queues.sweep)),
    )
    yield* every(lookUpEveryMs, "Endpoints could not be looked up", Effect.andThen(somePaused.await, lookUp))
    yield* every(measureEveryMs, "The outbox could not be measured", measure)
    const claiming = yield* Effect.forkScoped(claimQueues(ports))

    const drain = Effect.gen(function* () {
      queues.stop()
      // Not interrupted: what a claim under way brings must be released, not left to its lease.
      yield* Fiber.await(claiming)
      yield* queues.empty.await
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), drainMs))

    return EventDispatcher.of({
      health: Effect.sync(() => {
        const now = queues.monotonicMs()
        const failing: Array<DispatcherHealth["failing"][number]> = []
        for (const { endpointId, breaker } of queues.endpoints()) {
          const restMs = breaker.restsUntil - now
          if (restMs > 0) failing.push({ endpointId, until: clock.currentTimeMillisUnsafe() + restMs })
        }
        return { inFlight: queues.inFlight(), failing }
      }),
    })
  })
}
