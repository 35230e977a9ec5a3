import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { CallbackDelivery, CallbackEndpoints } from "../../ports/CallbackDelivery.ts"
import { Outbox } from "../../ports/Outbox.ts"
import type { StoreUnavailable } from "../../ports/portErrors.ts"
import { logAndContinue } from "../../runtime/telemetry.ts"
import { DispatchState, type EndpointQueue, leaseMs } from "./DispatchState.ts"
import { DueLooks } from "./DueLooks.ts"
import { OutboxSignal } from "./OutboxSignal.ts"
import { makeAttempt } from "./attempt.ts"
import { makeBatchedOutbox } from "./batchedOutbox.ts"
import { claim, type ClaimPorts, claimQueues, drainQueue } from "./claimQueues.ts"

const renewEveryMs = 10_000
const refreshEveryMs = 1_000
const lookUpEveryMs = 1_000
const lookUpLimitMs = 5_000
const lookUpsAtOnce = 8
/** An attempt takes 15 s at most (decision 24); the further 5 s are for its settlement. */
const drainMs = 20_000

/** The caller claims queues, and runs `close` before the scope ends. */
const openDispatch = Effect.gen(function* () {
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
    drained,
    /** Waits for a claim under way (`claimed`): its queues would otherwise stay leased. */
    close: (claimed: Effect.Effect<unknown> = Effect.void) =>
      Effect.suspend(() => {
        state.stop()
        return Effect.timeoutOption(Effect.interruptible(Effect.andThen(claimed, drained)), drainMs)
      }),
  }
})

const renewLeases = Effect.fnUntraced(function* (state: DispatchState, outbox: Outbox["Service"]) {
  const requestedAt = state.now()
  const queues = [...state.queues.values()].filter(({ leasedAt, isReleasing }) =>
    // A later renewal would undo the release.
    isReleasing ? leasedAt <= requestedAt - leaseMs / 2 : leasedAt <= requestedAt - renewEveryMs / 2,
  )
  if (queues.length === 0) return
  const leases = queues.map(({ lease }) => lease)
  const held = new Set(yield* outbox.renew(leases, leaseMs))
  for (const [index, queue] of queues.entries()) {
    if (queue.lease !== leases[index]) continue
    if (held.has(queue.lease.token)) queue.leasedAt = requestedAt
    else queue.isLost = true
  }
})

/** Resumes endpoints that are enabled again, and removed endpoints. */
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

const betweenClaimsMs = 100

/** Claims again after a signal, or if the claim left a due delivery. */
const dispatchDue = Effect.fnUntraced(function* (
  { ports, drained }: { readonly ports: ClaimPorts; readonly drained: Effect.Effect<void> },
  signals: Effect.Effect<number>,
  limitMs: number,
) {
  const { state, ready } = ports
  const endsAt = state.now() + limitMs
  const remainingMs = () => Math.max(endsAt - state.now(), 0)
  while (remainingMs() > 0) {
    if ((yield* Effect.timeoutOption(ready, remainingMs()))._tag === "None") break
    const seen = yield* signals
    const { count, hasMore, nextDueAt = Number.POSITIVE_INFINITY } = yield* Effect.uninterruptible(claim(ports))
    if (count === 0 && state.queues.size === 0) return { more: false }
    if (hasMore) continue
    const isDone = nextDueAt > state.clock.currentTimeMillisUnsafe()
    const isQuiet = Effect.map(signals, (now) => isDone && now === seen)
    do yield* Effect.timeoutOption(drained, Math.min(betweenClaimsMs, remainingMs()))
    while (state.queues.size > 0 && remainingMs() > 0 && (yield* isQuiet))
    if (state.queues.size === 0 && (yield* isQuiet)) return { more: false }
  }
  return { more: true }
})

/** State of this process's dispatcher. */
export interface DispatcherHealth {
  readonly inFlight: number
  /** Failing endpoints, with the end of their cool-down by business time. */
  readonly failing: ReadonlyArray<{ readonly endpointId: string; readonly until: number }>
}

/**
 * Sends the outbox's events to their endpoints while its layer lives, in any number of processes; one process at a time leases
 * a queue. Every event arrives at least once, under one id. No endpoint delays another. When the layer ends, it begins no more
 * attempts, settles the attempts under way and releases the leases.
 */
export class EventDispatcher extends Context.Service<
  EventDispatcher,
  {
    readonly health: Effect.Effect<DispatcherHealth>
    /** Sends due deliveries for this time, then finishes the attempts under way. `more`: due deliveries are left. */
    readonly roundWithin: (limitMs: number) => Effect.Effect<{ readonly more: boolean }, StoreUnavailable>
  }
>()("@pixcharge/core/events/EventDispatcher") {
  static readonly layer = Layer.effect(
    EventDispatcher,
    Effect.gen(function* () {
      const { state, ports, close } = yield* openDispatch
      const wakes = { signal: yield* OutboxSignal, due: (yield* DueLooks).await("deliveries") }
      const claiming = yield* Effect.forkScoped(claimQueues(ports, wakes))
      yield* Effect.addFinalizer(() => close(Fiber.await(claiming)))
      return EventDispatcher.of({ health: Effect.sync(() => health(state)), roundWithin: yield* rounds })
    }),
  ).pipe(Layer.provide(DueLooks.layer))

  /** Sends only during `roundWithin`. Hosts without background work use it. */
  static readonly onDemand = Layer.effect(
    EventDispatcher,
    Effect.gen(function* () {
      const idle = { inFlight: 0, failing: [] }
      return EventDispatcher.of({ health: Effect.succeed(idle), roundWithin: yield* rounds })
    }),
  )
}

const rounds = Effect.map(
  Effect.context<Outbox | CallbackEndpoints | CallbackDelivery | OutboxSignal>(),
  (context): EventDispatcher["Service"]["roundWithin"] =>
    (limitMs) =>
      Effect.scoped(
        Effect.gen(function* () {
          const dispatch = yield* openDispatch
          const { count } = yield* OutboxSignal
          return yield* Effect.ensuring(dispatchDue(dispatch, count, limitMs), dispatch.close())
        }),
      ).pipe(Effect.provideContext(context)),
)

const health = (state: DispatchState): DispatcherHealth => {
  const failing: Array<DispatcherHealth["failing"][number]> = []
  for (const { endpointId, breaker } of state.endpoints.values()) {
    const coolDownMs = breaker.coolDownUntil - state.now()
    if (coolDownMs > 0) failing.push({ endpointId, until: state.clock.currentTimeMillisUnsafe() + coolDownMs })
  }
  return { inFlight: state.inFlight, failing }
}
