import type { Imports } from "./write/writeImports.ts"

/** An environment variable that what is written reads. */
export interface Setting {
  readonly name: string
  readonly comment: string
  /** Where one value suits nearly everybody. */
  readonly value?: string
}

/** What one choice brings into `src/pix.ts`, and what it needs there. */
export interface Part {
  readonly imports: Imports
  /** What stands before `createPix`. */
  readonly statement?: string
  /** Lines of `createPix`'s options. */
  readonly options: ReadonlyArray<string>
  readonly settings?: ReadonlyArray<Setting>
  readonly packages: ReadonlyArray<string>
}
