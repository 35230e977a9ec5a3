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
import { makeClaimer } from "./dispatch/claimer.ts"
import { makeLanes } from "./dispatch/lanes.ts"
import { oldestAge, queueDepth } from "./dispatch/metrics.ts"
import { makeSettler } from "./dispatch/settler.ts"
import { logAndContinue } from "./logAndContinue.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

const leaseMs = 30_000
const renewEveryMs = 10_000
const measureEveryMs = 15_000
const lookUpEveryMs = 1_000
const lookUpLimitMs = 5_000
const lookUpsAtOnce = 8
/** An attempt takes 15 s at most (decision 24); the rest is for settling it. */
const drainMs = 20_000

/** What the dispatcher of this process has in hand. */
export interface DispatcherHealth {
  /** Deliveries claimed and not settled yet. */
  readonly held: number
  /** Endpoints that keep failing and are left alone until then: epoch milliseconds of business time. */
  readonly resting: ReadonlyArray<{ readonly endpointId: string; readonly until: number }>
}

/**
 * Tells the outbox's events to their endpoints for as long as its layer lives; any number of processes may run one.
 * Every event arrives at least once, under one id. No endpoint delays another. When the layer ends nothing new is begun,
 * what is under way is awaited and settled, and the rest is handed back for other processes.
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
    const settler = makeSettler(outbox, (batch) => lanes.letGo(batch))
    const lanes = makeLanes({
      leaseMs,
      clock,
      attempt: makeAttempt({ endpoints, delivery: yield* CallbackDelivery, clock, random }),
      settle: settler.add,
      start: (attempt, conclude) => run(Effect.map(attempt, conclude)),
    })

    const pumping = Effect.forever(
      Effect.map(lanes.turn.await, () => {
        lanes.turn.closeUnsafe()
        lanes.pumpMarked()
      }),
    )

    /** What is being sent stays ours: an attempt may take longer than a lease in a delivery of the host's own. */
    const renew = Effect.suspend(() => {
      const claims = lanes.activeSince(renewEveryMs / 2)
      return claims.length === 0 ? Effect.void : Effect.asVoid(outbox.renew(claims, leaseMs))
    })

    /** Endpoints that took nothing are looked up again, and let in once they do; one that is gone, so that it is told. */
    const lookUp = Effect.suspend(() =>
      Effect.forEach(
        lanes.toLookUp(),
        (lane) =>
          Effect.map(Effect.exit(Effect.timeout(endpoints.find(lane.endpointId), lookUpLimitMs)), (found) =>
            lanes.lookedUp(lane, found._tag === "Success" && (found.value?.status ?? "enabled") === "enabled"),
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

    yield* Effect.forkScoped(settler.run)
    yield* Effect.forkScoped(pumping)
    yield* every(renewEveryMs, "Leases could not be renewed", renew)
    yield* every(lookUpEveryMs, "Endpoints could not be looked up", Effect.andThen(lanes.someParked.await, lookUp))
    yield* every(measureEveryMs, "The outbox could not be measured", measure)
    const claimer = yield* Effect.forkScoped(
      makeClaimer({ outbox, signal: yield* OutboxSignal, lanes, clock, leaseMs, well: settler.well.await }),
    )

    const drain = Effect.gen(function* () {
      lanes.stop()
      // Not interrupted: what a claim under way brings must be handed back, not left to its lease.
      yield* Fiber.await(claimer)
      if (lanes.held() > 0) yield* lanes.empty.await
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), drainMs))

    return EventDispatcher.of({
      health: Effect.sync(() => {
        const now = clock.currentTimeMillisUnsafe()
        const resting: Array<DispatcherHealth["resting"][number]> = []
        for (const { endpointId, breaker } of lanes.all()) {
          const restMs = breaker.restsUntil - lanes.monotonicMs()
          if (restMs > 0) resting.push({ endpointId, until: now + restMs })
        }
        return { held: lanes.held(), resting }
      }),
    })
  })
}
