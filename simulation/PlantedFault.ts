import type { Rule } from "@pixcharge/testkit/simulation"

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
  /** What it breaks, in one sentence. */
  readonly breaks: string
  readonly edits: readonly [Edit, ...ReadonlyArray<Edit>]
  /** The rules that it breaks: the first one that is found broken is one of these. */
  readonly rules: readonly [Rule, ...ReadonlyArray<Rule>]
  /** A seed of the gate's that finds it, and is tried first. A change of the code may give that seed another history. */
  readonly seed?: number
  /** It takes more seeds than the gate has time for: only the long runs look for it. */
  readonly isRare?: true
}
