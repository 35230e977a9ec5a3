import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"

const folder = join(root, "verify/simulate/census")
const chosenFile = join(folder, "chosen.json")

const readJson = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8")) as A

/** In how many runs of a thousand each state was reached, as `pnpm simulate --census` counts. */
const readRates = () => readJson<Readonly<Record<string, number>>>(join(folder, "notedRates.json"))

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
  findRarer(noted = readRates()): ReadonlyArray<string> {
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

/** The chosen seeds, and how many states they reached together when they were chosen. */
export interface Chosen {
  readonly reach: number
  readonly seeds: ReadonlyArray<number>
}

/** A change of code moves each seed's history, so the list reaches less than at first. Below this share it is made again. */
const leastShare = 0.85
const freshSeeds = 10

export const readChosen = (): Chosen => readJson<Chosen>(chosenFile)

export const writeChosen = (census: Census, count: number): Chosen => {
  const seeds = census.choose(count)
  const chosen = { reach: census.reach(seeds), seeds: seeds.toSorted((a, b) => a - b) }
  writeFileSync(chosenFile, `${JSON.stringify(chosen)}\n`)
  return chosen
}

/** Seeds that follow from the commit: each commit runs others, and a repeated run the same ones. */
export const freshOf = (commit: string): ReadonlyArray<number> => {
  const first = Number.parseInt(commit.slice(0, 7), 16) * freshSeeds
  return Array.from({ length: freshSeeds }, (_, n) => first + n)
}

/** A copy without the repository runs the seeds of an empty hash. */
export const readCommit = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    })
  } catch {
    return "0000000"
  }
}

export const findLostReach = (census: Census, { seeds, reach }: Chosen): string | undefined => {
  const now = census.reach(seeds)
  return now >= leastShare * reach
    ? undefined
    : `The chosen seeds reach ${now} states, and reached ${reach} when they were chosen: run pnpm simulate --choose ${seeds.length}`
}
