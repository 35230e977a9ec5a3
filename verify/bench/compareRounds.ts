import { quantile } from "../world/quantile.ts"

/** With fewer rounds, quartiles mean nothing: all rounds are shown. */
export const leastForQuartiles = 5

/** How far the rounds of one run differ: the quartiles of their ratios, or minimum and maximum of few. */
export interface Spread {
  readonly rounds: number
  readonly from: number
  readonly until: number
}

/** One line of the benchmark: ours and a peer's, on the same inputs, in the same run. */
export interface Ratio {
  /** The operation and its input. */
  readonly what: string
  /** The peer that it was compared with, and its version. */
  readonly peer: string
  /** How many times as fast as the peer we are: the median of the rounds' ratios. */
  readonly ratio: number
  readonly spread: Spread
  /** The minimum ratio that we promise. */
  readonly goal: number
  /** The ratio of an empty route of our framework: about the maximum that ours can reach. */
  readonly limit?: number
}

/**
 * How many times as fast ours is: theirs over ours within each round, for the machine's speed drifts from one round to the
 * next. The costs of a peer are those of its rounds, in their order, or one figure that is no measurement.
 */
export const compareRounds = (
  ours: ReadonlyArray<number>,
  theirs: ReadonlyArray<number> | number,
): { readonly ratio: number; readonly spread: Spread } => {
  const others = typeof theirs === "number" ? ours.map(() => theirs) : theirs
  if (ours.length === 0 || others.length !== ours.length)
    throw new Error(`${ours.length} rounds of ours can't be paired with ${others.length} of theirs`)
  const ratios = ours.map((cost, round) => (others[round] ?? Number.NaN) / cost)
  const rounds = ratios.length
  const outside = rounds < leastForQuartiles ? 0 : 0.25
  const spread = { rounds, from: quantile(ratios, outside), until: quantile(ratios, 1 - outside) }
  return { ratio: quantile(ratios, 0.5), spread }
}
