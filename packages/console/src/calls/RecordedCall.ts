export type ShownHeader = readonly [name: string, value: string]

/** One call of the contract and its answer, without secrets. */
export interface RecordedCall {
  readonly number: number
  /** Epoch milliseconds of business time. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly requestHeaders: ReadonlyArray<ShownHeader>
  /** Absent if no body was read. */
  readonly requestBody?: string
  /** Absent until the call is answered. */
  readonly answer?: {
    readonly status: number
    readonly headers: ReadonlyArray<ShownHeader>
    readonly body: string
    readonly tookMs: number
  }
}

/** Keeps the newest `maxCount` values. Values are numbered from 1. */
export class Recent<A> {
  readonly #values = new Map<number, A>()
  readonly #maxCount: number
  #last = 0

  constructor(maxCount: number) {
    this.#maxCount = maxCount
  }

  /** Adds the value that `make` returns for its number. */
  add(make: (number: number) => A): A {
    const number = ++this.#last
    const value = make(number)
    this.#values.set(number, value)
    this.#values.delete(number - this.#maxCount)
    return value
  }

  /** The values, the newest first. */
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
