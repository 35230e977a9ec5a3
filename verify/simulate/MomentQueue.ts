interface Entry<A> {
  readonly at: number
  /** The number of the entry. Entries with equal times keep the order of addition. */
  readonly order: number
  readonly value: A
}

const isBefore = <A>(a: Entry<A>, b: Entry<A>): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Future events in a binary heap, the earliest first. */
export class MomentQueue<A> {
  readonly #heap: Array<Entry<A>> = []
  #added = 0

  /** The time of the earliest entry; infinity if the queue is empty. */
  get earliest(): number {
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY
  }

  get first(): A | undefined {
    return this.#heap[0]?.value
  }

  add(at: number, value: A): void {
    const heap = this.#heap
    const entry = { at, order: this.#added++, value }
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = heap[above]
      if (other === undefined || !isBefore(entry, other)) break
      heap[place] = other
      place = above
    }
    heap[place] = entry
  }

  take(): A | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first !== undefined && last !== undefined && heap.length > 0) this.#sink(last)
    return first?.value
  }

  #sink(entry: Entry<A>): void {
    const heap = this.#heap
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? right : left
      if (child === undefined || !isBefore(child, entry)) break
      heap[place] = child
      place = child === left ? 2 * place + 1 : 2 * place + 2
    }
    heap[place] = entry
  }
}
