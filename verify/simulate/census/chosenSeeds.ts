import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"
import type { Census } from "./Census.ts"

const file = join(root, "verify/simulate/census/chosen.json")

/** The chosen seeds, and how many states they reached together when they were chosen. */
export interface Chosen {
  readonly reach: number
  readonly seeds: ReadonlyArray<number>
}

/** A change of code moves each seed's history, so the list reaches less than at first. Below this share it is made again. */
const leastShare = 0.85
const freshSeeds = 10

export const readChosen = (): Chosen => JSON.parse(readFileSync(file, "utf8")) as Chosen

export const writeChosen = (census: Census, count: number): Chosen => {
  const seeds = census.choose(count)
  const chosen = { reach: census.reach(seeds), seeds: seeds.toSorted((a, b) => a - b) }
  writeFileSync(file, `${JSON.stringify(chosen)}\n`)
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
