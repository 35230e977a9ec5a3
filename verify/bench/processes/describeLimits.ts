import { availableParallelism } from "node:os"
import type { Turn } from "./Turn.ts"

/** From this share on a part has no more to give: what is missing is the time between two readings. */
const full = 0.9

const cores = availableParallelism()

const sum = (values: ReadonlyArray<number>): number => values.reduce((total, value) => total + value, 0)

/** The share of the machine's cores that nobody used. */
export const readIdleShare = ({ elapsedNs, used }: Turn): number => used.idle / (elapsedNs * cores)

/** The share of the machine's cores that went to what isn't measured here. */
export const readOtherShare = ({ elapsedNs, used }: Turn): number => {
  const ours = sum(used.hosts) + used.postgres + used.pgbouncer + used.load
  return Math.max(0, 1 - (used.idle + ours) / (elapsedNs * cores))
}

/** What was seen to be full in a turn. */
const describeLimit = (turn: Turn): string => {
  const { elapsedNs, used } = turn
  if (readIdleShare(turn) < 1 - full)
    return readOtherShare(turn) > 1 - full ? `the ${cores} cores, with other work` : `the ${cores} cores`
  if (Math.max(...used.hosts) > full * elapsedNs) return "a host's thread"
  if (used.pgbouncer > full * elapsedNs) return "pgbouncer's thread"
  if (used.load > full * elapsedNs) return "the process that asks"
  return "nothing that was full"
}

/** What was seen to be full, and in how many of the turns, most often first. */
export const describeLimits = (turns: ReadonlyArray<Turn>): string => {
  const seen = turns.map(describeLimit)
  const counts = [...new Set(seen)].map((limit) => [limit, seen.filter((each) => each === limit).length] as const)
  return counts
    .toSorted(([, a], [, b]) => b - a)
    .map(([limit, count]) => `${limit}: ${count} of ${seen.length}`)
    .join("; ")
}
