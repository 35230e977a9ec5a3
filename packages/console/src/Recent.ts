/** The newest values, up to `maxCount`, each under a number that counts from 1. */
export class Recent<A> {
  readonly #values = new Map<number, A>()
  readonly #maxCount: number
  #last = 0

  constructor(maxCount: number) {
    this.#maxCount = maxCount
  }

  /** Adds the value that `make` returns for its number; drops the oldest if there are too many. */
  add(make: (number: number) => A): A {
    const number = ++this.#last
    const value = make(number)
    this.#values.set(number, value)
    this.#values.delete(number - this.#maxCount)
    return value
  }

  /** Newest first. */
  list(): ReadonlyArray<A> {
    return [...this.#values.values()].toReversed()
  }

  find(number: number): A | undefined {
    return this.#values.get(number)
  }

  clear(): void {
    this.#values.clear()
  }
}
