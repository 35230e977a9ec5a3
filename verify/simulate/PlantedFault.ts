import type { Rule } from "@pixcharge/testkit/judge"

/** A fault that somebody could have made in a package, which the judge must see. */
export interface PlantedFault {
  /** By what it is found: of the rules that a run breaks only the first counts. */
  readonly rule: Rule
  /** The defect that it stands for, in one sentence. */
  readonly defect: string
  /** In the package's `src`. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /** The first seed that finds it, where that is not among the first. A change of the code may give the seed another history. */
  readonly seed?: number
}
