import type { Timeline } from "../World.ts"

/** What the bank shows of each thing: it may read from a copy that is behind. */
export class ShownStates {
  readonly #world: Pick<Timeline, "now">
  readonly #states = new Map<string, Array<{ readonly at: number; readonly state: unknown }>>()

  constructor(world: Pick<Timeline, "now">) {
    this.#world = world
  }

  /** Keeps how it is now. */
  record(id: string, state: object): void {
    const known = this.#states.get(id) ?? []
    known.push({ at: this.#world.now, state: structuredClone(state) })
    this.#states.set(id, known)
  }

  /** How it was this long ago; undefined where it was not there yet. */
  find<State>(id: string, agoMs: number): State | undefined {
    const until = this.#world.now - agoMs
    return this.#states.get(id)?.findLast(({ at }) => at <= until)?.state as State | undefined
  }
}
