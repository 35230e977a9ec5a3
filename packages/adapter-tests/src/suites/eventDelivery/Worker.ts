import {
  CallbackDelivery,
  type CallbackEndpoints,
  type DeliveryKey,
  type DueChecks,
  EventDispatcher,
  Outbox,
  OutboxSignal,
  type Settlement,
} from "@pixcharge/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type { SeededRandom } from "../../fixtures/SeededRandom.ts"

/** A dispatcher's process, simulated within the test's process. */
export interface Worker {
  readonly notifyAll: Effect.Effect<void>
  /** Stops the worker like `kill -9`: it finishes no work and releases no lease. */
  readonly kill: Effect.Effect<void>
  /** Stops the worker like a host's shutdown. */
  readonly stop: Effect.Effect<void>
}

/** Records of all workers together. */
export interface Notes {
  /** Deliveries that the store recorded as delivered, `event/endpoint`. */
  readonly recorded: Set<string>
  /** Deliveries that began although their success was recorded. */
  readonly afterSuccess: Array<string>
  attempts: number
}

export const makeNotes = (): Notes => ({ recorded: new Set(), afterSuccess: [], attempts: 0 })

/** Wraps a service's calls in a switch. Once it is off, no call begins, and no call under way returns. */
const behindSwitch =
  (off: Deferred.Deferred<never>, random: SeededRandom) =>
  <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    // Calls pause at random, like calls over a network: a worker can be killed at any point of a call.
    const pause = Effect.suspend(() => (random.chance(0.3) ? Effect.sleep(random.between(0, 4)) : Effect.void))
    return Effect.raceFirst(
      Deferred.await(off),
      Effect.gen(function* () {
        yield* pause
        const answer = yield* call
        yield* pause
        return answer
      }),
    )
  }

const deliveryKey = ({ eventId, endpointId }: Pick<DeliveryKey, "eventId" | "endpointId">) => `${eventId}/${endpointId}`

const noteSettled = (
  notes: Notes,
  settlements: ReadonlyArray<Settlement>,
  recorded: ReadonlyArray<DeliveryKey>,
): void => {
  const counted = new Set(recorded.map(deliveryKey))
  for (const { lease, eventId, fate } of settlements) {
    const key = deliveryKey({ eventId, endpointId: lease.endpointId })
    if (fate._tag === "Delivered" && counted.has(key)) notes.recorded.add(key)
  }
}

/** Starts a worker on a shared store. */
export const startWorker = (
  ports: Context.Context<Outbox | DueChecks | CallbackEndpoints | CallbackDelivery>,
  clock: Clock.Clock,
  notes: Notes,
  random: SeededRandom,
): Effect.Effect<Worker> =>
  Effect.gen(function* () {
    const off = yield* Deferred.make<never>()
    const guarded = behindSwitch(off, random)
    const outbox = Context.get(ports, Outbox)
    const delivery = Context.get(ports, CallbackDelivery)
    const own = ports.pipe(
      Context.add(Clock.Clock, clock),
      Context.add(Outbox, {
        ...outbox,
        claim: (request) => guarded(outbox.claim(request)),
        read: (queues, now) => guarded(outbox.read(queues, now)),
        renew: (leases, leaseMs) => guarded(outbox.renew(leases, leaseMs)),
        release: (leases, delayMs) => guarded(outbox.release(leases, delayMs)),
        settle: (settlements, now) =>
          guarded(
            Effect.map(outbox.settle(settlements, now), (recorded) => {
              noteSettled(notes, settlements, recorded)
              return recorded
            }),
          ),
      }),
      Context.add(CallbackDelivery, {
        deliver: (event, endpoint, attempt) =>
          guarded(
            Effect.suspend(() => {
              const key = deliveryKey({ eventId: event.id, endpointId: endpoint.id })
              if (notes.recorded.has(key)) notes.afterSuccess.push(key)
              notes.attempts++
              return delivery.deliver(event, endpoint, attempt)
            }),
          ),
      }),
    )
    const scope = yield* Scope.make()
    const built = yield* Layer.build(Layer.provideMerge(EventDispatcher.layer, OutboxSignal.layer)).pipe(
      Scope.provide(scope),
      Effect.provideContext(own),
    )
    const close = Effect.ignoreCause(Scope.close(scope, Exit.void))
    return {
      notifyAll: Context.get(built, OutboxSignal).notifyAll,
      // The close runs detached, because it waits forever for calls that don't return.
      kill: Effect.andThen(Deferred.die(off, "killed"), Effect.asVoid(Effect.forkDetach(close))),
      stop: close,
    }
  })
