/** A map that keeps its most recently used entries and forgets the others. */
export interface RecentMap<Key, A> {
  /** Counts as a use. */
  readonly get: (key: Key) => A | undefined
  readonly set: (key: Key, value: A) => void
  readonly delete: (key: Key) => void
  readonly clear: () => void
  /** Forgets every entry that was not used since the sweep before. */
  readonly sweep: () => void
  /** Sweeps, unless it did so less than `ms` ago; `nowMs` is in milliseconds of any clock. */
  readonly sweepEach: (ms: number, nowMs: number) => void
  readonly values: () => ReadonlyArray<A>
}

/** No key of ours is longer. Strangers choose theirs: bounded each, their number bounds what they take in all. */
const maxKeyLength = 2_048

/**
 * An empty map that keeps at least half of `maxCount` entries and at most `maxCount`, which is 2 or more. A text of more
 * than 2 048 characters is not kept as a key.
 *
 * It is two maps: a full young one takes the place of the old one, and what is used moves to the young one. So forgetting
 * costs nothing for an entry, where deleting the oldest key of a large `Map` costs a walk over all that were deleted before.
 */
export const makeRecentMap = <Key, A>(maxCount: number): RecentMap<Key, A> => {
  const halfCount = Math.floor(maxCount / 2)
  let young = new Map<Key, A>()
  let old = new Map<Key, A>()
  let sweptAtMs = -Infinity

  const sweep = (): void => {
    old = young
    young = new Map()
  }

  const set = (key: Key, value: A): void => {
    if (typeof key === "string" && key.length > maxKeyLength) return
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
    sweepEach: (ms, nowMs) => {
      if (nowMs - sweptAtMs < ms) return
      sweep()
      sweptAtMs = nowMs
    },
    values: () => [...old.values(), ...young.values()],
  }
}
