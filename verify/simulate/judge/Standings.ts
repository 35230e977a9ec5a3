/** The stored states of something over time. Moments are epoch milliseconds. */
export class Standings<S> {
  readonly #standings = new Map<string, Array<readonly [at: number, state: S]>>()

  /** The store has lost what was stored so far. */
  setBack(): void {
    this.#standings.clear()
  }

  /** Records its state from now on. */
  add(id: string, at: number, state: S): void {
    const states = this.#standings.get(id) ?? []
    this.#standings.set(id, states)
    states.push([at, state])
  }

  /** Its states since a moment; empty if it wasn't known then. */
  since(id: string, from: number): ReadonlyArray<S> {
    const states = this.#standings.get(id) ?? []
    const first = states.findLastIndex(([at]) => at < from)
    return first < 0 ? [] : states.slice(first).map(([, state]) => state)
  }
}
