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
import { makeLanes, parkMs } from "./dispatch/lanes.ts"
import { oldestAge, queueDepth } from "./dispatch/metrics.ts"
import { makeSettler } from "./dispatch/settler.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

const smallestClaim = 16
const largestClaim = 256
const leaseMs = 30_000
const renewEveryMs = 10_000
const firstIdleMs = 1_000
const longestIdleMs = 5_000
const measureEveryMs = 15_000
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
    const signal = yield* OutboxSignal
    const endpoints = yield* CallbackEndpoints
    const clock = yield* Clock.Clock
    const source = yield* Random.Random
    const random = () => source.nextDoubleUnsafe()
    const run = yield* FiberSet.makeRuntime()
    const settler = makeSettler(outbox, (batch) => lanes.letGo(batch))
    const lanes = makeLanes({
      clock,
      attempt: makeAttempt({ endpoints, delivery: yield* CallbackDelivery, clock, random }),
      settle: settler.add,
      start: (attempt, conclude) => run(Effect.map(attempt, conclude)),
    })
    let isStopping = false

    /** Endpoints that took nothing are looked up again, and let in once they do. */
    const unpark = Effect.gen(function* () {
      const now = clock.currentTimeMillisUnsafe()
      for (const lane of lanes.all()) {
        if (lane.parkedUntil === 0 || now < lane.parkedUntil) continue
        const found = yield* Effect.result(endpoints.find(lane.endpointId))
        // For one that is not registered any more, too: the attempt will say so.
        const isTaking = found._tag === "Success" && (found.success?.status ?? "enabled") === "enabled"
        lane.parkedUntil = isTaking ? 0 : now + parkMs
      }
    })

    /** Claims once; true when there may be more. */
    const claim = Effect.gen(function* () {
      yield* unpark
      const { most, except } = lanes.appetite()
      if (most <= 0) return false
      const limit = Math.min(Math.max(most, smallestClaim), largestClaim)
      const claimedAt = lanes.monotonicMs()
      const claims = yield* outbox.claim({
        now: clock.currentTimeMillisUnsafe(),
        limit,
        leaseMs,
        ...(except.length > 0 && { except }),
      })
      for (const row of claims) lanes.accept(row, claimedAt)
      return claims.length === limit
    })

    const pumping = Effect.forever(
      Effect.map(lanes.turn.await, () => {
        lanes.turn.closeUnsafe()
        lanes.pumpMarked()
      }),
    )

    const claiming = Effect.gen(function* () {
      let idleMs = firstIdleMs
      while (!isStopping) {
        yield* settler.well.await
        const heldBefore = lanes.held()
        const more = yield* Effect.result(claim)
        if (more._tag === "Failure") {
          yield* Effect.logWarning("The outbox could not be read", more.failure)
          yield* Effect.sleep(firstIdleMs)
          continue
        }
        if (more.success) continue
        // What is committed while a claim is under way rings once: a stream of commits is taken in batches by itself.
        idleMs = lanes.held() > heldBefore ? firstIdleMs : Math.min(idleMs * 2, longestIdleMs)
        const restMs = Math.min(idleMs, lanes.quietUntil() - clock.currentTimeMillisUnsafe())
        if (restMs <= 0) continue
        yield* Effect.timeoutOption(Effect.raceFirst(signal.rung, lanes.hungry.await), restMs)
        lanes.hungry.closeUnsafe()
      }
    })

    /** What is being sent stays ours: an attempt may take longer than a lease in a delivery of the host's own. */
    const renewing = Effect.gen(function* () {
      for (;;) {
        yield* Effect.sleep(renewEveryMs)
        const claims = lanes.activeSince(renewEveryMs / 2)
        if (claims.length === 0) continue
        const renewed = yield* Effect.result(outbox.renew(claims, leaseMs))
        if (renewed._tag === "Failure") yield* Effect.logWarning("Leases could not be renewed", renewed.failure)
      }
    })

    const measuring = Effect.gen(function* () {
      for (;;) {
        const depth = yield* Effect.result(outbox.depth)
        if (depth._tag === "Success") {
          const { waiting, oldestAt = Number.POSITIVE_INFINITY } = depth.success
          yield* Metric.update(queueDepth, waiting)
          yield* Metric.update(oldestAge, Math.max(0, clock.currentTimeMillisUnsafe() - oldestAt))
        }
        yield* Effect.sleep(measureEveryMs)
      }
    })

    yield* Effect.forkScoped(settler.run)
    yield* Effect.forkScoped(pumping)
    yield* Effect.forkScoped(renewing)
    yield* Effect.forkScoped(measuring)
    const claimer = yield* Effect.forkScoped(claiming)

    const drain = Effect.gen(function* () {
      isStopping = true
      lanes.stop()
      lanes.hungry.openUnsafe()
      // Not interrupted: what a claim under way brings must be handed back, not left to its lease.
      yield* Fiber.join(claimer)
      if (lanes.held() > 0) yield* lanes.empty.await
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(drain), drainMs))

    return EventDispatcher.of({
      health: Effect.sync(() => {
        const now = clock.currentTimeMillisUnsafe()
        const resting: Array<DispatcherHealth["resting"][number]> = []
        for (const { endpointId, breaker } of lanes.all()) {
          if (breaker.restsUntil > now) resting.push({ endpointId, until: breaker.restsUntil })
        }
        return { held: lanes.held(), resting }
      }),
    })
  })
}
