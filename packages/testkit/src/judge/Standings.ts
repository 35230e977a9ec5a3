/** How something stood that is stored, from its first moment that is known. Moments are epoch milliseconds. */
export class Standings<S> {
  readonly #stood = new Map<string, Array<readonly [at: number, state: S]>>()

  /** Of what was stored so far nothing is known any more. */
  setBack(): void {
    this.#stood.clear()
  }

  /** It stands so from now on. */
  add(id: string, at: number, state: S): void {
    const stood = this.#stood.get(id) ?? []
    this.#stood.set(id, stood)
    stood.push([at, state])
  }

  /** How it stood from a moment on; nothing if it wasn't known then. */
  since(id: string, from: number): ReadonlyArray<S> {
    const stood = this.#stood.get(id) ?? []
    const first = stood.findLastIndex(([at]) => at < from)
    return first < 0 ? [] : stood.slice(first).map(([, state]) => state)
  }
}
