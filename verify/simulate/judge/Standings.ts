/** The stored states of charges or exceptions over time. Times are epoch milliseconds. */
export class Standings<S> {
  readonly #standings = new Map<string, Array<readonly [at: number, state: S]>>()

  setBack(): void {
    this.#standings.clear()
  }

  add(id: string, at: number, state: S): void {
    const states = this.#standings.get(id) ?? []
    this.#standings.set(id, states)
    states.push([at, state])
  }

  since(id: string, from: number): ReadonlyArray<S> {
    const states = this.#standings.get(id) ?? []
    const first = states.findLastIndex(([at]) => at < from)
    return first < 0 ? [] : states.slice(first).map(([, state]) => state)
  }
}
