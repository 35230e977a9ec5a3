import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../world/root.ts"

type Rows = ReadonlyMap<string, ReadonlyArray<string>>

const page = join(root, "docs/hosts/README.md")
const table = /(<!-- hosts:begin -->)([\s\S]*)(<!-- hosts:end -->)/

const writeRow = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

const readRow = (line: string): ReadonlyArray<string> =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The results in the page, by the row's name. */
export const readTable = (): Rows => {
  const [, , text = ""] = table.exec(readFileSync(page, "utf8")) ?? []
  const lines = text.split("\n").filter((line) => line.startsWith("|"))
  return new Map(lines.slice(2).map((line) => [readRow(line)[0] ?? "", readRow(line).slice(1)]))
}

export const writeTable = (columns: ReadonlyArray<string>, rows: Rows): void => {
  const lines = [["Host", ...columns], ["---", ...columns.map(() => "---")], ...[...rows].map((row) => row.flat())]
  const text = lines.map(writeRow).join("\n")
  writeFileSync(page, readFileSync(page, "utf8").replace(table, `$1\n\n${text}\n\n$3`))
}
