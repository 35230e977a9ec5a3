import { median } from "../world/quantile.ts"

export type Point = readonly [x: number, y: number]

/**
 * How much y grows with x: the median of the slopes between any two points (Theil and Sen). Up to 29 % of outliers
 * don't change it, such as samples during a fault. The slope of one point is 0.
 */
export const robustSlope = (points: ReadonlyArray<Point>): number => {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
  )
  return slopes.length === 0 ? 0 : median(slopes)
}
