import type { Rule } from "./judge/index.ts"

/** A plausible fault of a package that the judge must find. */
export interface PlantedFault {
  /** The first rule that the run breaks. */
  readonly rule: Rule
  /** One sentence. */
  readonly defect: string
  /** A path in the package's `src`. */
  readonly file: string
  /** A text that occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /** The first seed that finds it, if not among the first seeds. A code change can change its history. */
  readonly seed?: number
}
