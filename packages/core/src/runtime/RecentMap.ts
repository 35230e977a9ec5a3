/** Keeps its most recently used entries and forgets the others. */
export interface RecentMap<Key, A> {
  readonly get: (key: Key) => A | undefined
  readonly set: (key: Key, value: A) => void
  readonly delete: (key: Key) => void
  readonly clear: () => void
  /** Forgets entries unused since the last sweep. */
  readonly sweep: () => void
  /** Sweeps unless the last sweep was less than `ms` ago. `nowMs` is in milliseconds of any clock. */
  readonly sweepEach: (ms: number, nowMs: number) => void
  readonly values: () => ReadonlyArray<A>
}

const maxKeyLength = 2_048

/**
 * Keeps at most `maxCount` entries (from 2), and at least half as many. Ignores keys longer than 2 048 characters. When the young
 * map is full, it replaces the old map; a used entry moves to the young map.
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
