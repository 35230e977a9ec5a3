/** The snippets of the pages, as files of a project: one folder a page. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** The file that a snippet's first line names (`// pix.ts`), so that others of its page may import it. */
const ownName = (code) => /^\/\/ ([\w-]+)\.ts\n/.exec(code)?.[1]

/** The TypeScript of a page in its order, each block with the name of its file, without an ending. */
export const snippetsIn = (page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code], at) => ({
    name: ownName(code) ?? `snippet${at + 1}`,
    code,
  }))
