/** The first and the last cycle, counted from 1. */
export type CycleRange = readonly [from: number, to: number]

type Ranges = ReadonlyArray<CycleRange>

/** The ranges are disjoint, ascending and don't touch. */
export const addRange = (ranges: Ranges, [from, to]: CycleRange): Ranges => {
  const before = ranges.filter(([, end]) => end < from - 1)
  const after = ranges.filter(([start]) => start > to + 1)
  const joined = [[from, to] as const, ...ranges.slice(before.length, ranges.length - after.length)]
  const first = Math.min(...joined.map(([start]) => start))
  return [...before, [first, Math.max(...joined.map(([, end]) => end))], ...after]
}

export const isInRanges = (ranges: Ranges, cycle: number): boolean =>
  ranges.some(([from, to]) => cycle >= from && cycle <= to)

/** The first cycle outside of the ranges, from `cycle` on. */
export const findOutside = (ranges: Ranges, cycle: number): number => {
  const range = ranges.find(([from, to]) => cycle >= from && cycle <= to)
  return range === undefined ? cycle : findOutside(ranges, range[1] + 1)
}
