/** A map that keeps its most recently used entries and forgets the others. */
export interface RecentMap<Key, A> {
  /** Counts as a use. */
  readonly get: (key: Key) => A | undefined
  readonly set: (key: Key, value: A) => void
  readonly delete: (key: Key) => void
  readonly clear: () => void
  /** Forgets every entry that was not used since the sweep before. */
  readonly sweep: () => void
  readonly values: () => ReadonlyArray<A>
}

/**
 * An empty map that keeps at least half of `maxCount` entries and at most `maxCount`, which is 2 or more.
 *
 * It is two maps: a full young one takes the place of the old one, and what is used moves to the young one. So forgetting
 * costs nothing for an entry, where deleting the oldest key of a large `Map` costs a walk over all that were deleted before.
 */
export const makeRecentMap = <Key, A>(maxCount: number): RecentMap<Key, A> => {
  const halfCount = Math.floor(maxCount / 2)
  let young = new Map<Key, A>()
  let old = new Map<Key, A>()

  const sweep = (): void => {
    old = young
    young = new Map()
  }

  const set = (key: Key, value: A): void => {
    old.delete(key)
    if (young.size >= halfCount && !young.has(key)) sweep()
    young.set(key, value)
  }

  return {
    get: (key) => {
      const recent = young.get(key)
      if (recent !== undefined) return recent
      const known = old.get(key)
      if (known !== undefined) set(key, known)
      return known
    },
    set,
    delete: (key) => {
      young.delete(key)
      old.delete(key)
    },
    clear: () => {
      young = new Map()
      old = new Map()
    },
    sweep,
    values: () => [...old.values(), ...young.values()],
  }
}
