const most = 100_000

/** The switches of a worker: which fault is on, and which functions were called. */
export class Mutants {
  /** None has the number 0. */
  active = 0
  readonly #seen = new Uint8Array(most)
  #numbers: Array<number> = []
  #evaluated = 0
  /** While modules are loaded: for each statement that is evaluated, or 0 for what is not, the functions called. */
  #loaded: Map<number, Set<number>> | undefined

  readonly isOn = (number: number): boolean => number === this.active

  readonly called = (place: number): void => {
    if (this.#seen[place] !== 0) return
    this.#seen[place] = 1
    this.#numbers.push(place)
  }

  readonly evaluated = (statement: number): void => {
    if (this.#loaded === undefined) return
    const taken = this.take()
    if (taken.length > 0) {
      const known = this.#loaded.get(this.#evaluated) ?? new Set<number>()
      for (const number of taken) known.add(number)
      this.#loaded.set(this.#evaluated, known)
    }
    this.#evaluated = statement
  }

  /** The functions called since it was asked last. */
  take(): ReadonlyArray<number> {
    const taken = this.#numbers
    for (const number of taken) this.#seen[number] = 0
    this.#numbers = []
    return taken
  }

  beginLoading(active: number): void {
    this.take()
    this.active = active
    this.#evaluated = 0
    this.#loaded = new Map()
  }

  /** Which functions were called in the evaluation of which statement. */
  endLoading(): ReadonlyMap<number, ReadonlySet<number>> {
    this.evaluated(0)
    const loaded = this.#loaded ?? new Map()
    this.#loaded = undefined
    return loaded
  }
}

declare global {
  var __mutants: Mutants
}
