import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { markdownTable } from "../world/markdownTable.ts"
import { root } from "../world/root.ts"
import { leastForQuartiles, type Spread, type Ratio } from "./compareRounds.ts"

export const timesText = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`

export const spreadText = ({ rounds, from, until }: Spread): string => {
  if (rounds === 1) return "one run"
  const range = `${timesText(from)} to ${timesText(until)}`
  return rounds < leastForQuartiles ? `${range}, all of ${rounds}` : range
}

const goalText = ({ goal, limit }: Ratio): string => {
  if (limit === undefined) return timesText(goal)
  return limit < goal
    ? `${timesText(goal)}, beyond a bare route's ${timesText(limit)}`
    : `${timesText(goal)} of a bare route's ${timesText(limit)}`
}

export const ratioTable = (ratios: ReadonlyArray<Ratio>): string =>
  markdownTable(
    ["What", "Beside", "Ours is", "Goal", "Spread of rounds"],
    ratios.map((ratio) => [ratio.what, ratio.peer, timesText(ratio.ratio), goalText(ratio), spreadText(ratio.spread)]),
  )

/** The lines of the READMEs' table in order, by `what` and a name in `peer`. */
export const shownFigures = [
  ["write a BR Code", "pix-utils"],
  ["durable insertions, 32 callers", "pg"],
  ["callback deliveries/s, 30000 waiting", "pg-boss"],
  ["callback deliveries/s, 30000 waiting", "graphile-worker"],
  ["POST /api/pix in Express, durable", "express"],
  ["POST /api/pix in Express, durable", "tuned"],
  ["server CPU of a POST in Express", "express"],
] as const

export const nameIn = (text: string, name: string): RegExpExecArray | null =>
  new RegExp(`(?<![\\w-])${name}(?![\\w-])( [\\d.]*\\d)?`, "i").exec(text)

const formatter = join(root, "node_modules/oxfmt/bin/oxfmt")

const rewrite = (page: string, name: string, write: (between: string) => string): void => {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const text = readFileSync(page, "utf8")
  const [from, until] = [text.indexOf(begin) + begin.length, text.indexOf(end)]
  if (from < begin.length || until < from) throw new Error(`${page} has no marks of ${name}`)
  writeFileSync(page, text.slice(0, from) + write(text.slice(from, until)) + text.slice(until))
  execFileSync(process.execPath, [formatter, page])
}

export const writeSection = (page: string, name: string, text: string): void =>
  rewrite(page, name, () => `\n\n${text}\n\n`)

export const writeFigures = (readme: string, ratios: ReadonlyArray<Ratio>): void =>
  rewrite(readme, "figures", (table) => replaceFigures(table, ratios))

export const replaceFigures = (table: string, ratios: ReadonlyArray<Ratio>): string => {
  const shown = shownFigures.map(([what, name]) => {
    const measured = ratios.find((ratio) => ratio.what === what && nameIn(ratio.peer, name) !== null)
    if (measured === undefined) throw new Error(`there is no measured ratio of ${what} to ${name}`)
    return { name, measured }
  })
  const row = /^(\|.*\|)(.*)\| +[\d.]+x(?= +\|$)/gm
  const rows = table.match(row)?.length ?? 0
  if (rows !== shown.length) throw new Error(`the table has ${rows} rows for ${shown.length} figures`)
  return table.replaceAll(row, (known, what: string, peer: string) => {
    const next = shown.shift()
    if (next === undefined) return known
    const [named, version = ""] = [nameIn(peer, next.name)?.[0] ?? "", nameIn(next.measured.peer, next.name)?.[1]]
    return `${what}${peer.replace(named, named.replace(/ .*/, "") + version)}| ${timesText(next.measured.ratio)}`
  })
}
