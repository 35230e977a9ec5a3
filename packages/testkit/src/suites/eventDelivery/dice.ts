/** Throws of dice that a seed repeats. */
export interface Dice {
  /** From 0 to below 1. */
  readonly next: () => number
  /** A whole number from 0 to below `count`. */
  readonly below: (count: number) => number
  readonly chance: (probability: number) => boolean
}

/** The same seed gives the same throws (mulberry32). */
export const makeDice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (count) => Math.floor(next() * count), chance: (probability) => next() < probability }
}
