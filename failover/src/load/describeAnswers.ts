import type { Answered, Ledger } from "./Ledger.ts"

const rank = (sorted: ReadonlyArray<number>, share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)

/** How soon calls were answered after a moment of the steady clock, and what the wait cost. */
export const describeAnswers = ({ answered }: Ledger, connectableAt: number): string => {
  const after = answered.filter(({ at }) => at >= connectableAt)
  const first = new Map<string, number>()
  for (const { path, at } of after) if (!first.has(path)) first.set(path, Math.round(at - connectableAt))
  const firsts = [...first].map(([path, ms]) => `${path} ${ms} ms`).join(", ")
  const waited = after.filter(({ failures }) => failures > 0)
  const most = waited.reduce((highest, { failures }) => Math.max(highest, failures), 0)
  return `first answers after connections can be made: ${firsts}; ${waited.length} calls needed more attempts, ${most} at most`
}

/** The median and the slowest hundredth of some answers, in milliseconds. */
export const describeTimes = (answered: ReadonlyArray<Answered>): string => {
  const sorted = answered.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  return `${sorted.length} calls, median ${rank(sorted, 0.5)} ms, p99 ${rank(sorted, 0.99)} ms`
}
