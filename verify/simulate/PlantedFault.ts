import type { Rule } from "./judge/index.ts"

export interface PlantedFault {
  readonly rule: Rule
  readonly defect: string
  readonly file: string
  /** Code that occurs once in the file. */
  readonly text: string
  readonly replacement: string
  /** The first seed that finds the fault, if none of the first seeds does. It can change with the code. */
  readonly seed?: number
}
