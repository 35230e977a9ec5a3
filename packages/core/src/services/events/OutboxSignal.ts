import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type { NewDelivery } from "../../ports/ChargeStore.ts"

/** Deliveries that are kept by name; that many may pile up only where no dispatcher runs. */
const maxNamed = 10_000

/** Notifies the dispatcher of the same process that something waits in the outbox, so that it need not poll for it. */
export class OutboxSignal extends Context.Service<
  OutboxSignal,
  {
    /** Something was written, in any queue; never blocks. */
    readonly notifyAll: Effect.Effect<void>
    /** These deliveries were written; never blocks. */
    readonly notify: (deliveries: ReadonlyArray<NewDelivery>) => Effect.Effect<void>
    /**
     * Waits for the next signal, which may have come since the last wait; returns the deliveries that were written, or
     * with undefined if others may have been. One waiter at a time.
     */
    readonly next: Effect.Effect<ReadonlyArray<NewDelivery> | undefined>
  }
>()("@pixcharge/core/events/OutboxSignal") {
  static readonly layer = Layer.sync(OutboxSignal, () => {
    const latch = Latch.makeUnsafe()
    let written: Array<NewDelivery> | undefined = []
    return OutboxSignal.of({
      notifyAll: Effect.sync(() => {
        written = undefined
        latch.openUnsafe()
      }),
      notify: (deliveries) =>
        Effect.sync(() => {
          if (written !== undefined && written.length < maxNamed) written.push(...deliveries)
          else written = undefined
          latch.openUnsafe()
        }),
      next: Effect.map(latch.await, () => {
        const taken = written
        written = []
        latch.closeUnsafe()
        return taken
      }),
    })
  })
}
