import { notedRates } from "./notedRates.ts"

/** Fewer runs leave too much to chance. */
export const leastRuns = 1_000
/** A state expected in fewer runs than this can fall below half its rate by chance. */
const leastExpected = 30
/** The chosen seeds must do what this many seeds in sequence do. */
const likelyRuns = 120
/** What reaching a state again is worth. */
const secondTime = 0.01

/** Counts in how many runs each state was reached. */
export class Census {
  readonly bySeed = new Map<number, ReadonlyArray<string>>()
  readonly #counts = new Map<string, number>()

  add(seed: number, states: ReadonlyArray<string>): void {
    this.bySeed.set(seed, states)
    for (const state of states) this.#counts.set(state, (this.#counts.get(state) ?? 0) + 1)
  }

  /** Each state with its runs in a thousand, the most frequent first. */
  lines(): ReadonlyArray<string> {
    return [...this.#counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([state, count]) => `${((1_000 * count) / this.bySeed.size).toFixed(1)} ${state}`)
  }

  /** The states that have become rarer than half their noted rate; empty for few runs. */
  findRarer(noted: Readonly<Record<string, number>> = notedRates): ReadonlyArray<string> {
    const runs = this.bySeed.size
    if (runs < leastRuns) return []
    return Object.entries(noted).flatMap(([state, inThousand]) => {
      const expected = (inThousand * runs) / 1_000
      const count = this.#counts.get(state) ?? 0
      const isRarer = expected >= leastExpected && count < expected / 2
      return isRarer
        ? [`${count} of ${runs} runs reach the state "${state}", but ${expected.toFixed(0)} did before`]
        : []
    })
  }

  /** The seeds that together reach the most states, the most useful first. A rare state counts as often as `likelyRuns` reach it. */
  choose(seeds: number): ReadonlyArray<number> {
    const runs = this.bySeed.size
    const open = new Map(this.bySeed)
    const reached = new Map<string, number>()
    const worth = (state: string): number => {
      const isLikely = 1 - (1 - (this.#counts.get(state) ?? 0) / runs) ** likelyRuns
      return [isLikely, isLikely * secondTime][reached.get(state) ?? 0] ?? 0
    }
    const gain = (states: ReadonlyArray<string>): number => states.reduce((sum, state) => sum + worth(state), 0)
    return Array.from({ length: Math.min(seeds, runs) }, () => {
      const [[best = 0, states = []] = []] = [...open]
        .map(([seed, its]) => [seed, its, gain(its)] as const)
        .toSorted(([, , one], [, , other]) => other - one)
      open.delete(best)
      for (const state of states) reached.set(state, (reached.get(state) ?? 0) + 1)
      return best
    })
  }

  /** How many states the seeds reach together. */
  reach(seeds: ReadonlyArray<number>): number {
    return new Set(seeds.flatMap((seed) => this.bySeed.get(seed) ?? [])).size
  }
}
