/** The newest values, each under a number that counts from 1. */
export interface Recent<A> {
  /** Adds the value that `make` returns for its number; drops the oldest if there are too many. */
  readonly add: (make: (number: number) => A) => A
  /** Newest first. */
  readonly list: () => ReadonlyArray<A>
  readonly find: (number: number) => A | undefined
  readonly clear: () => void
}

/** Keeps the newest values, up to `maxCount`. */
export const makeRecent = <A>(maxCount: number): Recent<A> => {
  const kept = new Map<number, A>()
  let last = 0
  return {
    add: (make) => {
      const number = ++last
      const value = make(number)
      kept.set(number, value)
      kept.delete(number - maxCount)
      return value
    },
    list: () => [...kept.values()].toReversed(),
    find: (number) => kept.get(number),
    clear: () => kept.clear(),
  }
}
