/** The youngest of what was added, each under a number that counts from 1. */
export interface Recent<A> {
  /** Adds the value that is made of its number; the oldest goes when there are too many. */
  readonly add: (make: (number: number) => A) => A
  /** Youngest first. */
  readonly list: () => ReadonlyArray<A>
  readonly find: (number: number) => A | undefined
  readonly clear: () => void
}

/** At most so many values. */
export const makeRecent = <A>(most: number): Recent<A> => {
  const kept = new Map<number, A>()
  let last = 0
  return {
    add: (make) => {
      const number = ++last
      const value = make(number)
      kept.set(number, value)
      kept.delete(number - most)
      return value
    },
    list: () => [...kept.values()].toReversed(),
    find: (number) => kept.get(number),
    clear: () => kept.clear(),
  }
}
