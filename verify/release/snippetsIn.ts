import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../world/root.ts"

export interface Snippet {
  /** The file's name without extension. */
  readonly name: string
  readonly code: string
}

/** The file name in a snippet's first line (`// pix.ts`). Other snippets of the page import it under this name. */
const readOwnName = (code: string): string | undefined => /^\/\/ ([\w-]+)\.ts\n/.exec(code)?.[1]

export const snippetsIn = (page: string): ReadonlyArray<Snippet> =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
    name: readOwnName(code) ?? `snippet${index + 1}`,
    code,
  }))
