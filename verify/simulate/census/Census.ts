import { notedRates } from "./notedRates.ts"

/** Fewer runs leave too much to chance. */
export const leastRuns = 1_000
/** A state expected in fewer runs than this can fall below half its rate by chance. */
const leastExpected = 30

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

  /** The seeds that together reach the most states as often as `times`, the most useful first. */
  choose(seeds: number, times = 2): ReadonlyArray<number> {
    const chosen: Array<number> = []
    const reached = new Map<string, number>()
    const gain = (states: ReadonlyArray<string>): number =>
      states.reduce((sum, state) => {
        const before = reached.get(state) ?? 0
        return before >= times ? sum : sum + 1 / (4 ** before * (this.#counts.get(state) ?? 1) ** 0.5)
      }, 0)
    while (chosen.length < Math.min(seeds, this.bySeed.size)) {
      const open = [...this.bySeed].filter(([seed]) => !chosen.includes(seed))
      const [best] = open
        .map(([seed, states]) => ({ seed, states, gain: gain(states) }))
        .toSorted((a, b) => b.gain - a.gain)
      if (best === undefined) break
      chosen.push(best.seed)
      for (const state of best.states) reached.set(state, (reached.get(state) ?? 0) + 1)
    }
    return chosen
  }

  /** How many states the seeds reach together. */
  reach(seeds: ReadonlyArray<number>): number {
    return new Set(seeds.flatMap((seed) => this.bySeed.get(seed) ?? [])).size
  }
}
