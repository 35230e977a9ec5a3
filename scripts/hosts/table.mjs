import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../pack.mjs"

const page = join(root, "docs/hosts/README.md")
const markers = { begin: "<!-- hosts:begin -->", end: "<!-- hosts:end -->" }

const row = (cells) => `| ${cells.join(" | ")} |`

/** The table's rows below its head, as cells. */
const readRows = (text) =>
  text
    .slice(text.indexOf(markers.begin), text.indexOf(markers.end))
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

/** The results that the page states, by the name of the row. */
export const readTable = () => new Map(readRows(readFileSync(page, "utf8")).map(([name, ...cells]) => [name, cells]))

/** Writes the results into the page. */
export const writeTable = (columns, rows) => {
  const text = readFileSync(page, "utf8")
  const lines = [row(["Host", ...columns]), row(["---", ...columns.map(() => "---")])]
  for (const [name, cells] of rows) lines.push(row([name, ...cells]))
  const before = text.slice(0, text.indexOf(markers.begin) + markers.begin.length)
  writeFileSync(page, `${before}\n\n${lines.join("\n")}\n\n${text.slice(text.indexOf(markers.end))}`)
}
