import { classifyNodes, type CpuProfile, type Part, parts } from "./classifyNodes.ts"

/** A piece of time, in microseconds of the same clock. */
export interface Period {
  readonly from: number
  readonly until: number
}

/**
 * How many samples of a period found each part at work itself, not what it calls. Samples are counted, not the time
 * between them, since a process that waits for a core gets none.
 */
export const countSamples = (profile: CpuProfile, { from, until }: Period): Readonly<Record<Part, number>> => {
  const classified = classifyNodes(profile)
  const counts = Object.fromEntries(parts.map((part) => [part, 0])) as Record<Part, number>
  let at = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    at += profile.timeDeltas[index] ?? 0
    const part = classified.get(id)
    if (part !== undefined && at >= from && at < until) counts[part]++
  }
  return counts
}
