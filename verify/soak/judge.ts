import { median } from "../world/quantile.ts"
import { type Rule, rules } from "./rules.ts"
import type { SoakSample } from "./sample.ts"

export interface Growth {
  readonly rule: Rule
  /** The median after the warm-up. */
  readonly level: number
  /** How much the quantity rose after the warm-up, or how much it grew per charge. */
  readonly rise: number
  readonly allowed: number
  /** False if the run was shorter than the rule needs. */
  readonly isJudged: boolean
  readonly holds: boolean
}

/** The share of a run that isn't judged, because caches fill and code is compiled during it. */
const warmUpShare = 0.25

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

export const judgeGrowth = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<Growth> => {
  const first = Math.max(Math.ceil(samples.length * warmUpShare), 1)
  const warm = samples.slice(first)
  const lastAt = samples.at(-1)?.atMs ?? 0
  return Object.values<Rule>(rules).map((rule) => {
    const points = warm.map((sample, index): Point => {
      const x = rule.isPerCharge ? sample.issued : sample.atMs
      return [x, rule.read(sample, samples[first + index - 1] ?? sample)]
    })
    const level = median(points.map(([, y]) => y))
    const length = rule.isPerCharge ? 1 : lastAt - (warm[0]?.atMs ?? 0)
    const rise = robustSlope(points) * length
    const allowed = Math.max(level * (rule.share ?? 0), rule.least)
    const { fromMinutes = 2 } = rule
    const isJudged = lastAt + 1_000 >= fromMinutes * 60_000
    return { rule, level, rise, allowed, isJudged, holds: !isJudged || rise <= allowed }
  })
}

const writeBytes = (bytes: number): string =>
  Math.abs(bytes) < 10_240 ? `${Math.round(bytes)} B` : `${Math.round(bytes / 1_024)} KB`

const writeAmount: Readonly<Record<Rule["unit"], (amount: number) => string>> = {
  bytes: writeBytes,
  count: (count) => String(Math.round(count * 10) / 10),
  ratio: (ratio) => ratio.toFixed(2),
}

/** The rule, and its level, rise and allowed rise. */
export const describeGrowth = ({ rule, level, rise, allowed }: Growth): ReadonlyArray<string> => {
  const write = writeAmount[rule.unit]
  const each = rule.isPerCharge ? " a charge" : ""
  return [rule.what, write(level), `${write(rise)}${each}`, `${write(allowed)}${each}`]
}
