/** One line of the benchmark: ours beside a peer's, on the same inputs, in the same run. */
export interface Ratio {
  /** The operation and its input. */
  readonly what: string
  /** The peer that it was compared with, and its version. */
  readonly peer: string
  /** Nanoseconds an operation, ours. */
  readonly ours: number
  /** Nanoseconds an operation, the peer's. */
  readonly theirs: number
  /** How many times as fast as the peer we are: `theirs / ours`. */
  readonly ratio: number
  /** Where it was measured in many pairs: the quartiles of their ratios, of which `ratio` is the median. */
  readonly spread?: readonly [number, number]
  /** The least ratio that we promise. */
  readonly goal: number
}

/** A line from two measured times. */
export const withRatio = (line: Omit<Ratio, "ratio">): Ratio => ({ ...line, ratio: line.theirs / line.ours })
