/** A generation holds so many entries, and there are two. */
export const generationSize = 50_000

/** A map that keeps at least its 50 000 youngest entries, and forgets older ones. */
export interface RecentMap<A> {
  readonly get: (key: string) => A | undefined
  readonly set: (key: string, value: A) => void
  readonly values: () => ReadonlyArray<A>
}

/**
 * An empty map. A full generation takes the place of the one before it: forgetting costs nothing per entry, where
 * deleting the oldest key of a large `Map` costs a walk over all that were deleted before.
 */
export const makeRecentMap = <A>(): RecentMap<A> => {
  let young = new Map<string, A>()
  let old = new Map<string, A>()
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      if (young.size >= generationSize && !young.has(key)) {
        old = young
        young = new Map()
      }
      young.set(key, value)
    },
    values: () => [...young.values(), ...[...old].filter(([key]) => !young.has(key)).map(([, value]) => value)],
  }
}
