import type { Ledger } from "./Ledger.ts"

/** How soon calls were answered after a moment of the steady clock, and what the wait cost. */
export const describeAnswers = ({ answered }: Ledger, connectableAt: number): string => {
  const after = answered.filter(({ at }) => at >= connectableAt)
  const first = new Map<string, number>()
  for (const { path, at } of after) if (!first.has(path)) first.set(path, Math.round(at - connectableAt))
  const firsts = [...first].map(([path, ms]) => `${path} ${ms} ms`).join(", ")
  const waited = after.filter(({ failures }) => failures.length > 0)
  const most = waited.reduce((highest, { failures }) => Math.max(highest, failures.length), 0)
  return `first answers after connections can be made: ${firsts}; ${waited.length} calls needed more attempts, ${most} at most`
}
