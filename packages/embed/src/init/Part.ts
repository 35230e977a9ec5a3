import type { Imports } from "./write/writeSource.ts"

/** An environment variable that a written file reads. */
export interface Setting {
  readonly name: string
  readonly comment: string
  /** Where one value suits nearly everybody. */
  readonly value?: string
  /** Nothing starts without it. */
  readonly isRequired?: boolean
}

/** What one choice brings into the `pix` module, and what it needs there. */
export interface Part {
  readonly imports: Imports
  /** What stands before `createPix`. */
  readonly statement?: string
  /** Lines of `createPix`'s options. */
  readonly options: ReadonlyArray<string>
  readonly settings?: ReadonlyArray<Setting>
  readonly packages: ReadonlyArray<string>
}
