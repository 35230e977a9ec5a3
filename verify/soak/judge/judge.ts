import type { SoakSample } from "../SoakResults.ts"
import { median, type Point, robustSlope } from "./robustSlope.ts"
import { type GrowthRule, rules, type SteadyRule } from "./rules.ts"

/** How one rule was kept. */
export interface Judgement {
  readonly rule: SteadyRule | GrowthRule
  /** The median after the warm-up; of what grows, at the end. */
  readonly level: number
  /** How much it rose after the warm-up; of what grows, with each charge. */
  readonly rise: number
  readonly allowed: number
  readonly holds: boolean
}

/** Caches fill and code is compiled in the first part of a run, which isn't judged. */
export const warmUpShare = 0.25

const judgeSteady = (rule: SteadyRule, points: ReadonlyArray<Point>): Judgement => {
  const level = median(points.map(([, y]) => y))
  const lengthMs = (points.at(-1)?.[0] ?? 0) - (points[0]?.[0] ?? 0)
  const rise = robustSlope(points) * lengthMs
  const allowed = Math.max(level * rule.share, rule.least)
  return { rule, level, rise, allowed, holds: rise <= allowed }
}

const judgeGrowth = (rule: GrowthRule, points: ReadonlyArray<Point>): Judgement => {
  const rise = robustSlope(points)
  return { rule, level: points.at(-1)?.[1] ?? 0, rise, allowed: rule.mostACharge, holds: rise <= rule.mostACharge }
}

/** Holds the samples of a run against every rule. */
export const judge = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<Judgement> => {
  const first = Math.max(Math.ceil(samples.length * warmUpShare), 1)
  const warm = samples.slice(first).map((sample, at) => [sample, samples[first + at - 1] ?? sample] as const)
  return rules.map((rule) =>
    rule._tag === "Steady"
      ? judgeSteady(
          rule,
          warm.map(([sample, before]) => [sample.atMs, rule.read(sample, before)]),
        )
      : judgeGrowth(
          rule,
          warm.map(([sample, before]) => [sample.load.issued, rule.read(sample, before)]),
        ),
  )
}
