import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./root.ts"

export const markdownTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** Rewrites the text between a page's marks of this name, and formats the page. `page` is relative to the root. */
export const rewriteSection = (page: string, name: string, write: (between: string) => string): void => {
  const path = join(root, page)
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const text = readFileSync(path, "utf8")
  const [from, until] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  if (from < begin.length || until < from) throw new Error(`${page} has no marks of ${name}`)
  writeFileSync(path, `${text.slice(0, from)}\n\n${write(text.slice(from, until)).trim()}\n\n${text.slice(until)}`)
  execFileSync(process.execPath, [join(root, "node_modules/oxfmt/bin/oxfmt"), path])
}
