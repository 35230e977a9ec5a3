import { readFileSync, writeFileSync } from "node:fs"
import { leastForQuartiles, type Spread } from "./compareRounds.ts"
import type { Ratio } from "./Ratio.ts"

const times = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`

/** How far rounds differ: their quartiles, or the least and the most of so many; `show` writes one figure. */
export const spreadText = ({ rounds, from, until }: Spread, show: (value: number) => string = times): string => {
  if (rounds === 1) return "one run"
  const range = `${show(from)} to ${show(until)}`
  return rounds < leastForQuartiles ? `${range}, all of ${rounds}` : range
}

const row = ({ what, peer, ratio, spread, goal }: Ratio): string =>
  `| ${what} | ${peer} | ${times(ratio)} | ${goal === undefined ? "" : times(goal)} | ${spreadText(spread)} |`

/** The lines as a table in Markdown. */
export const ratioTable = (ratios: ReadonlyArray<Ratio>): string =>
  ["| What | Beside | Ours is | Goal | Quartiles of rounds |", "|---|---|---|---|---|", ...ratios.map(row)].join("\n")

/** The lines that the READMEs show of the table, by `what` and `peer`, in their order. */
export const shownFigures = [
  ["write a BR Code", "pix-utils 2.8.2"],
  ["durable insertions, 32 callers", "pg, one prepared statement a call"],
  ["callback deliveries/s, 30000 waiting", "pg-boss 10"],
  ["POST /api/pix in Express, durable", "Express 5 + zod + jose + pg by hand"],
  ["server CPU of a POST in Express", "bare Express route, JSON in and out"],
] as const

/** Writes what stands between two marks of a page anew. */
const rewrite = (page: string, name: string, write: (between: string) => string): void => {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const text = readFileSync(page, "utf8")
  const [from, until] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  if (from < begin.length || until < from) throw new Error(`${page} has no marks of ${name}`)
  writeFileSync(page, text.slice(0, from) + write(text.slice(from, until)) + text.slice(until))
}

/** Puts a table where a page shows all measured figures. */
export const writeTable = (page: string, table: string): void => rewrite(page, "bench", () => `\n\n${table}\n\n`)

/** Replaces the figures that a README shows, whatever its language. */
export const writeFigures = (readme: string, ratios: ReadonlyArray<Ratio>): void => {
  const shown = shownFigures.map(([what, peer]) => {
    const measured = ratios.find((ratio) => ratio.what === what && ratio.peer === peer)
    if (measured === undefined) throw new Error(`nothing was measured of ${what} beside ${peer}`)
    return times(measured.ratio)
  })
  rewrite(readme, "figures", (table) => table.replaceAll(/[\d.]+x(?= +\|$)/gm, () => shown.shift() ?? ""))
}
