import { readFileSync } from "node:fs"
import { join } from "node:path"
import { markdownTable, rewriteSection } from "../../world/markdownTable.ts"
import { root } from "../../world/root.ts"

type Rows = ReadonlyMap<string, ReadonlyArray<string>>

const page = "docs/hosts/README.md"
const table = /(<!-- hosts:begin -->)([\s\S]*)(<!-- hosts:end -->)/

const readRow = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The results in the page, by the row's name. */
export const readTable = (): Rows => {
  const [, , text = ""] = table.exec(readFileSync(join(root, page), "utf8")) ?? []
  const lines = text.split("\n").filter((line) => line.startsWith("|"))
  return new Map(lines.slice(2).map((line) => [readRow(line)[0] ?? "", readRow(line).slice(1)]))
}

export const writeTable = (columns: ReadonlyArray<string>, rows: Rows): void =>
  rewriteSection(page, "hosts", () =>
    markdownTable(
      ["Host", ...columns],
      Array.from(rows, (row) => row.flat()),
    ),
  )
