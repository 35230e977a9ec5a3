import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"

/** A block of a page, as a file of a project. */
export interface Snippet {
  /** Without an ending. */
  readonly name: string
  readonly code: string
}

/** The file that a snippet's first line names (`// pix.ts`), so that others of its page may import it. */
const readOwnName = (code: string): string | undefined => /^\/\/ ([\w-]+)\.ts\n/.exec(code)?.[1]

/** The TypeScript of a page in its order. */
export const snippetsIn = (page: string): ReadonlyArray<Snippet> =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], at) => ({
    name: readOwnName(code) ?? `snippet${at + 1}`,
    code,
  }))
