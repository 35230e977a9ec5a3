import { quantile } from "../world/quantile.ts"

/** The minimum number of rounds for quartiles. With fewer rounds the minimum and maximum are shown. */
export const leastForQuartiles = 5

/** The first and third quartile of a run's ratios, or the minimum and maximum if there are few rounds. */
export interface Spread {
  readonly rounds: number
  readonly from: number
  readonly until: number
}

/** A row of the benchmark: we and a peer on the same inputs in the same run. */
export interface Ratio {
  readonly what: string
  readonly peer: string
  /** The median over the rounds of the peer's cost divided by ours. Above 1 we are faster. */
  readonly ratio: number
  readonly spread: Spread
  readonly goal: number
  /** The ratio of an empty route in our framework. Ours can hardly exceed it. */
  readonly limit?: number
}

/**
 * Compares costs round by round, because the machine's speed drifts between rounds. `theirs` are the peer's costs in
 * the same order, or one fixed figure.
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
