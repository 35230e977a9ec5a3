import type { Rule } from "@pixcharge/testkit/judge"

/** A place in the source, and what is written there instead. */
export interface Edit {
  /** From the root of the repository. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
}

/** A fault that somebody could have made, which the simulation must find. */
export interface PlantedFault {
  readonly name: string
  /** The defect that it stands for, in one sentence. */
  readonly defect: string
  readonly edits: readonly [Edit, ...ReadonlyArray<Edit>]
  /** It is found by one of these. Of the rules that a run breaks only the first counts. */
  readonly rules: readonly [Rule, ...ReadonlyArray<Rule>]
  /** A seed of the gate's that finds it, and is tried first. A change of the code may give that seed another history. */
  readonly seed?: number
}
