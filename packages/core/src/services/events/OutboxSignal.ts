import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type { NewDelivery } from "../../ports/ChargeStore.ts"

/** Maximum number of deliveries kept by name. */
const maxNamed = 10_000

/** Notifies this process's dispatcher of waiting deliveries. */
export class OutboxSignal extends Context.Service<
  OutboxSignal,
  {
    /** Reports that any queue can have new deliveries; never blocks. */
    readonly notifyAll: Effect.Effect<void>
    /** Reports these deliveries; never blocks. */
    readonly notify: (deliveries: ReadonlyArray<NewDelivery>) => Effect.Effect<void>
    /**
     * Waits for a signal since the last wait. Returns the reported deliveries; undefined if unreported deliveries can have been
     * written. Allows one waiter at a time.
     */
    readonly next: Effect.Effect<ReadonlyArray<NewDelivery> | undefined>
    /** Number of signals so far. */
    readonly count: Effect.Effect<number>
  }
>()("@pixcharge/core/events/OutboxSignal") {
  static readonly layer = Layer.sync(OutboxSignal, () => {
    const latch = Latch.makeUnsafe()
    let written: Array<NewDelivery> | undefined = []
    let count = 0
    const signal = () => {
      count++
      latch.openUnsafe()
    }
    return OutboxSignal.of({
      notifyAll: Effect.sync(() => {
        written = undefined
        signal()
      }),
      notify: (deliveries) =>
        Effect.sync(() => {
          if (written !== undefined && written.length < maxNamed) written.push(...deliveries)
          else written = undefined
          signal()
        }),
      next: Effect.map(latch.await, () => {
        const taken = written
        written = []
        latch.closeUnsafe()
        return taken
      }),
      count: Effect.sync(() => count),
    })
  })
}
