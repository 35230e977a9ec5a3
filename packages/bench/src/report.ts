import { readFileSync, writeFileSync } from "node:fs"
import type { Ratio } from "./Ratio.ts"

const begin = "<!-- bench:begin -->"
const end = "<!-- bench:end -->"

const times = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`

const row = ({ what, peer, ratio, goal }: Ratio): string => `| ${what} | ${peer} | ${times(ratio)} | ${times(goal)} |`

/** The lines as a table in Markdown. */
export const ratioTable = (ratios: ReadonlyArray<Ratio>): string =>
  ["| What | Beside | Ours is | Goal |", "|---|---|---|---|", ...ratios.map(row)].join("\n")

/** Puts a table where README shows the measured figures. */
export const writeInto = (readme: string, table: string): void => {
  const text = readFileSync(readme, "utf8")
  const [before] = text.split(begin, 1)
  const after = text.slice(text.indexOf(end))
  if (before === undefined || !text.includes(begin) || !text.includes(end))
    throw new Error(`${readme} has no bench marks`)
  writeFileSync(readme, `${before}${begin}\n\n${table}\n\n${after}`)
}
