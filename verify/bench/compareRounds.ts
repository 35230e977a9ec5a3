import { quantile } from "../world/quantile.ts"

/** Quartiles of fewer rounds mean nothing: all rounds are shown. */
export const leastForQuartiles = 5

/** The quartiles of a run's ratios, or minimum and maximum of few. */
export interface Spread {
  readonly rounds: number
  readonly from: number
  readonly until: number
}

/** One line of the benchmark: ours and a peer's on the same inputs in the same run. */
export interface Ratio {
  readonly what: string
  readonly peer: string
  /** Median over the rounds of theirs/ours: above 1 ours is faster. */
  readonly ratio: number
  readonly spread: Spread
  readonly goal: number
  /** The ratio of an empty route of our framework: about the maximum for ours. */
  readonly limit?: number
}

/**
 * How many times as fast ours is: theirs over ours within each round, because the machine's speed drifts between rounds. The
 * peer's costs are its rounds in order, or one fixed figure.
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
