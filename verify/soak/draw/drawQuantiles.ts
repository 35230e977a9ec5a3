import { type Measured, type Operation, operations } from "../measure/Latencies.ts"
import { textAt } from "./Panel.ts"

const rowHeight = 26
const left = 400
const width = 430

/** From 1 ms to this, on a logarithmic scale. */
const decades = 5

const position = (ms: number): number =>
  Math.round(left + (Math.log10(Math.min(Math.max(ms, 1), 10 ** decades)) / decades) * width)

/** A time as people say it. */
export const writeMs = (ms: number): string => {
  if (ms >= 60_000) return `${(ms / 60_000).toFixed(1)} min`
  return ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`
}

const drawRow = (name: Operation, { all, calm }: Measured, y: number): string => {
  const dots = (kind: string, { p50, p99, p999 }: Measured["all"][Operation], at: number): ReadonlyArray<string> => [
    `<path class="${kind}" d="M${position(p50)} ${at}H${position(p999)}" />`,
    `<circle class="${kind} dot" cx="${position(p50)}" cy="${at}" r="4" />`,
    `<path class="${kind}" d="M${position(p99)} ${at - 4}v8" />`,
    `<path class="${kind}" d="M${position(p999)} ${at - 4}v8" />`,
  ]
  return [
    textAt("label", 20, y + 4, name),
    textAt("note", 80, y + 4, operations[name]),
    ...(calm[name].count > 0 ? dots("line0", calm[name], y - 4) : []),
    ...dots("line1", all[name], y + 4),
  ].join("\n  ")
}

/** How high the quantiles of all operations are drawn. */
export const quantilesHeight = (Object.keys(operations).length + 2) * rowHeight

/** The median, p99 and p99.9 of each operation, on a logarithmic scale. */
export const drawQuantiles = (measured: Measured, top: number): string => {
  const names = (Object.keys(operations) as ReadonlyArray<Operation>).filter((name) => measured.all[name].count > 0)
  const bottom = top + 40 + names.length * rowHeight
  const ticks = Array.from({ length: decades + 1 }, (_, at) => 10 ** at)
  return [
    textAt("key0", left, top + 14, "without faults"),
    textAt("key1", left + 110, top + 14, "all"),
    textAt("note", left + width, top + 14, "dot: median; ticks: p99 and p99.9", "end"),
    ...ticks.map((ms) => `<path class="grid" d="M${position(ms)} ${top + 26}V${bottom - 14}" />`),
    ...ticks.map((ms) => textAt("note", position(ms), bottom + 4, writeMs(ms), "middle")),
    ...names.map((name, at) => drawRow(name, measured, top + 44 + at * rowHeight)),
  ].join("\n  ")
}
