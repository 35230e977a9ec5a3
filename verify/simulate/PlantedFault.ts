import type { Rule } from "./judge/index.ts"

/** A plausible fault of a package, which the judge must find. */
export interface PlantedFault {
  /** The rule that finds it: the first one that the run breaks. */
  readonly rule: Rule
  /** The defect in one sentence. */
  readonly defect: string
  /** In the package's `src`. */
  readonly file: string
  /** Occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /**
   * The first seed that finds it, unless that is among the first seeds. A change of the code may change its history.
   */
  readonly seed?: number
}
