import type { Spread } from "./compareRounds.ts"

/** One line of the benchmark: ours beside a peer's, on the same inputs, in the same run. */
export interface Ratio {
  /** The operation and its input. */
  readonly what: string
  /** The peer that it was compared with, and its version. */
  readonly peer: string
  /** How many times as fast as the peer we are: the median of the rounds' ratios. */
  readonly ratio: number
  readonly spread: Spread
  /** The least ratio that we promise. */
  readonly goal: number
  /** How many times as fast as the peer a route of our framework is that does nothing: about the most that ours can be. */
  readonly limit?: number
}
