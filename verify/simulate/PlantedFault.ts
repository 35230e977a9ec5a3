import type { Rule } from "./judge/index.ts"

export interface PlantedFault {
  readonly rule: Rule
  readonly defect: string
  readonly file: string
  /** A text that occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /** The first seed that finds it, if not among the first seeds. A code change can change its history. */
  readonly seed?: number
}
