import { quantile } from "../world/quantile.ts"

/** The minimum number of rounds for quartiles. With fewer rounds the minimum and maximum are shown. */
export const leastForQuartiles = 5

/** The first and third quartile of a run's ratios, or the minimum and maximum if there are few rounds. */
export interface Spread {
  readonly rounds: number
  readonly from: number
  readonly until: number
}

export interface Comparison {
  /** The median over the rounds of the peer's cost divided by ours. Above 1 ours is cheaper. */
  readonly ratio: number
  readonly spread: Spread
  /** Ours and the peer's microseconds of the host and of Postgres, and bytes of the log. */
  readonly costs?: ReadonlyArray<ReadonlyArray<number>>
}

/** A row of the benchmark: we and a peer on the same inputs in the same run. */
export interface Ratio extends Comparison {
  readonly what: string
  readonly peer: string
  readonly goal: number
}

/**
 * Compares costs round by round, because the machine's speed drifts between rounds. `theirs` are the peer's costs in
 * the same order, or one fixed figure.
 */
export const compareRounds = (ours: ReadonlyArray<number>, theirs: ReadonlyArray<number> | number): Comparison => {
  const others = typeof theirs === "number" ? ours.map(() => theirs) : theirs
  if (ours.length === 0 || others.length !== ours.length)
    throw new Error(`${ours.length} rounds of ours can't be paired with ${others.length} of theirs`)
  const ratios = ours.map((cost, round) => (others[round] ?? Number.NaN) / cost)
  const rounds = ratios.length
  const outside = rounds < leastForQuartiles ? 0 : 0.25
  const spread = { rounds, from: quantile(ratios, outside), until: quantile(ratios, 1 - outside) }
  return { ratio: quantile(ratios, 0.5), spread }
}
