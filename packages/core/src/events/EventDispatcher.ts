import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type { StoreUnavailable } from "../ports/portErrors.ts"
import type { CallbackDelivery } from "../ports/CallbackDelivery.ts"
import type { CallbackEndpoints } from "../ports/CallbackEndpoints.ts"
import type { Outbox } from "../ports/Outbox.ts"
import { claimQueues } from "./dispatch/claimQueues.ts"
import { dispatchDue } from "./dispatch/dispatchDue.ts"
import type { DispatchState } from "./dispatch/DispatchState.ts"
import { openDispatch } from "./dispatch/openDispatch.ts"
import { OutboxSignal } from "./OutboxSignal.ts"

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
    /**
     * Sends what is due now, and begins nothing after this many milliseconds; what is under way then is finished. `layer` does
     * so by itself; a host without background work calls it. `more` says that something due was left.
     */
    readonly roundWithin: (limitMs: number) => Effect.Effect<{ readonly more: boolean }, StoreUnavailable>
  }
>()("@pixcharge/core/events/EventDispatcher") {
  static readonly layer = Layer.effect(
    EventDispatcher,
    Effect.gen(function* () {
      const { state, ports, close } = yield* openDispatch
      const claiming = yield* Effect.forkScoped(claimQueues(ports, yield* OutboxSignal))
      yield* Effect.addFinalizer(() => close(Fiber.await(claiming)))
      return EventDispatcher.of({ health: Effect.sync(() => health(state)), roundWithin: yield* rounds })
    }),
  )

  /** Sends in `roundWithin` only, for hosts where nothing may run in the background. */
  static readonly onDemand = Layer.effect(
    EventDispatcher,
    Effect.gen(function* () {
      const idle = { inFlight: 0, failing: [] }
      return EventDispatcher.of({ health: Effect.succeed(idle), roundWithin: yield* rounds })
    }),
  )
}

/** Each round leases queues as a process of its own would, and has released them when it ends. */
const rounds = Effect.map(
  Effect.context<Outbox | CallbackEndpoints | CallbackDelivery>(),
  (context): EventDispatcher["Service"]["roundWithin"] =>
    (limitMs) =>
      Effect.scoped(
        Effect.gen(function* () {
          const dispatch = yield* openDispatch
          return yield* Effect.ensuring(dispatchDue(dispatch, limitMs), dispatch.close())
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
