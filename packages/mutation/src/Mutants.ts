const most = 100_000

/** The switches of a worker: which fault is on, and which places the code has come by. */
export class Mutants {
  /** None has the number 0. */
  active = 0
  readonly #seen = new Uint8Array(most)
  #numbers: Array<number> = []

  readonly is = (number: number): boolean => {
    if (this.#seen[number] === 0) {
      this.#seen[number] = 1
      this.#numbers.push(number)
    }
    return number === this.active
  }

  /** The places come by since the last call. */
  take(): ReadonlyArray<number> {
    const taken = this.#numbers
    for (const number of taken) this.#seen[number] = 0
    this.#numbers = []
    return taken
  }
}

declare global {
  var __mutants: Mutants
}
