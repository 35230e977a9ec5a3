import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** Tells the dispatcher of the same process that something waits in the outbox, so that it need not poll for it. */
export class OutboxSignal extends Context.Service<
  OutboxSignal,
  {
    /** Something was written; never blocks. */
    readonly ring: Effect.Effect<void>
    /** Ends at the next ring, at once if one came since the last wait. One waiter at a time. */
    readonly rung: Effect.Effect<void>
  }
>()("@pixcharge/core/service/OutboxSignal") {
  static readonly layer = Layer.effect(
    OutboxSignal,
    Effect.map(Latch.make(), (latch) => ({
      ring: Effect.asVoid(latch.open),
      rung: Effect.andThen(latch.await, Effect.asVoid(latch.close)),
    })),
  )
}
