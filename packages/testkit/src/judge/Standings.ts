/** The stored states of something over time. Moments are epoch milliseconds. */
export class Standings<S> {
  readonly #stood = new Map<string, Array<readonly [at: number, state: S]>>()

  /** The store has lost what was stored so far. */
  setBack(): void {
    this.#stood.clear()
  }

  /** Records its state from now on. */
  add(id: string, at: number, state: S): void {
    const stood = this.#stood.get(id) ?? []
    this.#stood.set(id, stood)
    stood.push([at, state])
  }

  /** Its states since a moment; empty if it wasn't known then. */
  since(id: string, from: number): ReadonlyArray<S> {
    const stood = this.#stood.get(id) ?? []
    const first = stood.findLastIndex(([at]) => at < from)
    return first < 0 ? [] : stood.slice(first).map(([, state]) => state)
  }
}
