import { median } from "../world/quantile.ts"
import { type Point, robustSlope } from "./robustSlope.ts"
import { type Rule, rules } from "./rules.ts"
import type { SoakSample } from "./runSoak.ts"

export interface Judgement {
  readonly rule: Rule
  /** The median after the warm-up. */
  readonly level: number
  /** How much the quantity rose after the warm-up, or how much it grew per charge. */
  readonly rise: number
  readonly allowed: number
  /** The minimum length of a run for this rule, in minutes. `isShown` is true if this run was as long. */
  readonly fromMinutes: number
  readonly isShown: boolean
  readonly holds: boolean
}

/** The share of a run that isn't judged, because caches fill and code is compiled during it. */
const warmUpShare = 0.25

/** Judges the samples by every rule. A rule that needs a longer run isn't shown. */
export const judge = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<Judgement> => {
  const first = Math.max(Math.ceil(samples.length * warmUpShare), 1)
  const warm = samples.slice(first)
  const lastAt = samples.at(-1)?.atMs ?? 0
  return Object.values<Rule>(rules).map((rule) => {
    const points = warm.map((sample, index): Point => {
      const x = rule.isPerCharge ? sample.load.issued : sample.atMs
      return [x, rule.read(sample, samples[first + index - 1] ?? sample)]
    })
    const level = median(points.map(([, y]) => y))
    const length = rule.isPerCharge ? 1 : lastAt - (warm[0]?.atMs ?? 0)
    const rise = robustSlope(points) * length
    const allowed = Math.max(level * (rule.share ?? 0), rule.least)
    const { fromMinutes = 2 } = rule
    const isShown = lastAt >= fromMinutes * 60_000
    return { rule, level, rise, allowed, fromMinutes, isShown, holds: !isShown || rise <= allowed }
  })
}
