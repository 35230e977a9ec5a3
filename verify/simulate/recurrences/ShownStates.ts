import type { Timeline } from "../World.ts"

/** The bank's view of each object, which can come from a copy that is behind. */
export class ShownStates {
  readonly #world: Pick<Timeline, "now">
  readonly #states = new Map<string, Array<{ readonly at: number; readonly state: unknown }>>()

  constructor(world: Pick<Timeline, "now">) {
    this.#world = world
  }

  record(id: string, state: object): void {
    const known = this.#states.get(id) ?? []
    known.push({ at: this.#world.now, state: structuredClone(state) })
    this.#states.set(id, known)
  }

  /** The state this long ago; undefined if it didn't exist. */
  find<State>(id: string, agoMs: number): State | undefined {
    const until = this.#world.now - agoMs
    return this.#states.get(id)?.findLast(({ at }) => at <= until)?.state as State | undefined
  }
}
