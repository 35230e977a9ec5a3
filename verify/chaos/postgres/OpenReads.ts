import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"

/** Reads of the books that are under way: here each takes its time. */
export class OpenReads {
  readonly #open = new Set<Promise<void>>()

  /** Reads, and answers with how it ended. */
  readonly carryOut = <A, E>(reading: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void): void => {
    const read = Effect.runPromiseExit(reading)
      .then(ended)
      .finally(() => this.#open.delete(read))
    this.#open.add(read)
  }

  /** Waits until none is. */
  async ended(): Promise<void> {
    while (this.#open.size > 0) await Promise.all(this.#open)
  }
}
