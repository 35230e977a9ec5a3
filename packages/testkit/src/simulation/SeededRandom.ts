/** Random numbers from a seed, the same on every machine. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(among: readonly [A, ...ReadonlyArray<A>]) => A
}

/** FNV-1a of a text, continuing an earlier hash. */
export const hashText = (text: string, before = 0x811c9dc5): number => {
  let hash = before
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Mulberry32 (T. Ettinger, 2017): 32 bits of state, good enough to choose with and very quick. */
export const makeSeededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (among) => among[Math.floor(next() * among.length)] ?? among[0],
  }
}
