import { markdownTable, rewriteSection } from "../world/markdownTable.ts"
import { leastForQuartiles, type Spread, type Ratio } from "./compareRounds.ts"

export const timesText = (ratio: number): string => `${ratio < 10 ? ratio.toFixed(2) : Math.round(ratio)}x`

export const spreadText = ({ rounds, from, until }: Spread): string => {
  if (rounds === 1) return "one run"
  const range = `${timesText(from)} to ${timesText(until)}`
  return rounds < leastForQuartiles ? `${range}, all of ${rounds}` : range
}

const costHead = ["Host, µs", "Postgres, µs", "Log, bytes"]

const costCells = ({ costs }: Ratio): ReadonlyArray<string> =>
  costHead.map((_, column) => costs?.[column]?.map((cost) => cost.toFixed(0)).join(" / ") ?? "")

export const ratioTable = (ratios: ReadonlyArray<Ratio>): string => {
  const haveCosts = ratios.some(({ costs }) => costs !== undefined)
  return markdownTable(
    ["What", "Beside", "Ours is", "Goal", "Spread of rounds", ...(haveCosts ? costHead : [])],
    ratios.map((one) => {
      const cells = [one.what, one.peer, timesText(one.ratio), timesText(one.goal), spreadText(one.spread)]
      return haveCosts ? [...cells, ...costCells(one)] : cells
    }),
  )
}

/** The lines of the READMEs' table in order, by `what` and a name in `peer`. */
export const shownFigures = [
  ["POST /api/pix in Express", "express"],
  ["POST /api/pix in Express", "tuned"],
  ["POST /api/pix in Hono", "hono"],
  ["POST /api/pix in Hono", "tuned"],
  ["a callback's delivery", "pg-boss"],
  ["a callback's delivery", "graphile-worker"],
  ["import and start on the memory store", "effect"],
  ["write a BR Code", "pix-utils"],
] as const

export const nameIn = (text: string, name: string): RegExpExecArray | null =>
  new RegExp(`(?<![\\w-])${name}(?![\\w-])( [\\d.]*\\d)?`, "i").exec(text)

export const writeFigures = (readme: string, ratios: ReadonlyArray<Ratio>): void =>
  rewriteSection(readme, "figures", (table) => replaceFigures(table, ratios))

const replaceFigures = (table: string, ratios: ReadonlyArray<Ratio>): string => {
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
