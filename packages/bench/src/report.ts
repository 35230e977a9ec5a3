import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { leastForQuartiles, type Spread } from "./compareRounds.ts"
import type { Ratio } from "./Ratio.ts"

/** How many times as much. */
export const timesText = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`

/** How far rounds differ: their quartiles, or the least and the most of so many; `show` writes one figure. */
export const spreadText = ({ rounds, from, until }: Spread, show: (value: number) => string = timesText): string => {
  if (rounds === 1) return "one run"
  const range = `${show(from)} to ${show(until)}`
  return rounds < leastForQuartiles ? `${range}, all of ${rounds}` : range
}

/** A table in Markdown. */
export const markdownTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** The lines as a table in Markdown. */
export const ratioTable = (ratios: ReadonlyArray<Ratio>): string =>
  markdownTable(
    ["What", "Beside", "Ours is", "Goal", "Spread of rounds"],
    ratios.map(({ what, peer, ratio, spread, goal }) => [
      what,
      peer,
      timesText(ratio),
      goal === undefined ? "" : timesText(goal),
      spreadText(spread),
    ]),
  )

/** The lines that the READMEs show of the table, by `what` and `peer`, in their order. */
export const shownFigures = [
  ["write a BR Code", "pix-utils 2.8.2"],
  ["durable insertions, 32 callers", "pg, one prepared statement a call"],
  ["callback deliveries/s, 30000 waiting", "pg-boss 10"],
  ["POST /api/pix in Express, durable", "Express 5 + zod + jose + pg by hand"],
  ["server CPU of a POST in Express", "bare Express route, JSON in and out"],
] as const

const formatter = join(import.meta.dirname, "../../../node_modules/oxfmt/bin/oxfmt")

/** Writes what stands between two marks of a page anew, and formats the page. */
const rewrite = (page: string, name: string, write: (between: string) => string): void => {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const text = readFileSync(page, "utf8")
  const [from, until] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  if (from < begin.length || until < from) throw new Error(`${page} has no marks of ${name}`)
  writeFileSync(page, text.slice(0, from) + write(text.slice(from, until)) + text.slice(until))
  execFileSync(process.execPath, [formatter, page])
}

/** Puts what was measured where a page has the marks of that name. */
export const writeSection = (page: string, name: string, text: string): void =>
  rewrite(page, name, () => `\n\n${text}\n\n`)

/** Replaces the figures that a README shows, whatever its language. */
export const writeFigures = (readme: string, ratios: ReadonlyArray<Ratio>): void => {
  const shown = shownFigures.map(([what, peer]) => {
    const measured = ratios.find((ratio) => ratio.what === what && ratio.peer === peer)
    if (measured === undefined) throw new Error(`nothing was measured of ${what} beside ${peer}`)
    return timesText(measured.ratio)
  })
  rewrite(readme, "figures", (table) => table.replaceAll(/[\d.]+x(?= +\|$)/gm, () => shown.shift() ?? ""))
}
