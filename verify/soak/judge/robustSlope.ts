/** The middle of these numbers; 0 of none. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? 0
  return Number.isInteger(half) && sorted.length > 0 ? ((sorted[half - 1] ?? 0) + upper) / 2 : upper
}

/** A point of a series. */
export type Point = readonly [x: number, y: number]

/**
 * How much y grows with x: the median of the slopes between any two points (Theil and Sen). Up to 29 % of the points may lie
 * anywhere without moving it: what a fault does to some samples is no growth.
 */
export const robustSlope = (points: ReadonlyArray<Point>): number =>
  median(
    points.flatMap(([x, y], at) =>
      points.slice(at + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
    ),
  )
