/** Things by their turn; each stands in it once. Every change costs the logarithm of how many there are. */
export interface Schedule<A> {
  /** Puts a thing in, or gives it its new place after its turn has changed. */
  readonly set: (item: A) => void
  /** Takes a thing out; nothing happens if it isn't in. */
  readonly delete: (item: A) => void
  readonly has: (item: A) => boolean
  /** Whose turn is next. */
  readonly peek: () => A | undefined
  readonly size: () => number
}

/**
 * A binary heap that knows where each of its things stands. When the turn of a thing that is in has changed, `set` or
 * `delete` for it must be the very next call.
 */
export const makeSchedule = <A>(isBefore: (a: A, b: A) => boolean): Schedule<A> => {
  const heap: Array<A> = []
  const places = new Map<A, number>()

  const put = (item: A, place: number): void => {
    heap[place] = item
    places.set(item, place)
  }

  const rise = (item: A, from: number): number => {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above] as A
      if (!isBefore(item, parent)) break
      put(parent, place)
      place = above
    }
    put(item, place)
    return place
  }

  const sink = (item: A, from: number): void => {
    let place = from
    for (;;) {
      const left = 2 * place + 1
      if (left >= heap.length) break
      const right = left + 1
      const next = right < heap.length && isBefore(heap[right] as A, heap[left] as A) ? right : left
      const child = heap[next] as A
      if (!isBefore(child, item)) break
      put(child, place)
      place = next
    }
    put(item, place)
  }

  return {
    set: (item) => {
      const place = places.get(item) ?? heap.push(item) - 1
      if (rise(item, place) === place) sink(item, place)
    },
    delete: (item) => {
      const place = places.get(item)
      if (place === undefined) return
      places.delete(item)
      const last = heap.pop() as A
      if (last === item) return
      if (rise(last, place) === place) sink(last, place)
    },
    has: (item) => places.has(item),
    peek: () => heap[0],
    size: () => heap.length,
  }
}
