import * as rules from "../judge/rules.ts"
import type { SoakResults, SoakSample } from "../SoakResults.ts"
import { drawQuantiles, quantilesHeight, writeMs } from "./drawQuantiles.ts"
import { drawPanel, type Line, type Panel, panelHeight, panelWidth, textAt } from "./Panel.ts"
import { writeAmount } from "./writeAmount.ts"

const columns = 3
const gap = 25
const margin = 20
const width = 2 * margin + columns * panelWidth + (columns - 1) * gap

const style = `
    .page { fill: #ffffff; }
    .axis, .grid { stroke: #d0d7de; }
    .mark { stroke: #cf222e; }
    .line0, .line1 { fill: none; stroke-width: 1.5; }
    .line0 { stroke: #1a7f6b; }
    .line1 { stroke: #8250df; }
    .dot.line0, .key0 { fill: #1a7f6b; }
    .dot.line1, .key1 { fill: #8250df; }
    .name { fill: #1f2328; font-size: 13px; font-weight: 600; }
    .label { fill: #1f2328; font-size: 13px; }
    .note, .key0, .key1 { font-size: 11px; }
    .note { fill: #57606a; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #0d1117; }
      .axis, .grid { stroke: #30363d; }
      .mark { stroke: #ff7b72; }
      .line0 { stroke: #3fb99e; }
      .line1 { stroke: #bc8cff; }
      .dot.line0, .key0 { fill: #3fb99e; }
      .dot.line1, .key1 { fill: #bc8cff; }
      .name, .label { fill: #f0f6fc; }
      .note { fill: #9198a1; }
    }`

/** The panels of a run, in the order in which they are drawn. */
const panelsOf = (samples: ReadonlyArray<SoakSample>): ReadonlyArray<Panel> => {
  const line = (name: string, read: rules.SteadyRule["read"]): Line => ({
    name,
    values: samples.slice(1).map((sample, at) => read(sample, samples[at] ?? sample)),
  })
  const ruled = (title: string, rule: rules.SteadyRule | rules.GrowthRule): Panel => ({
    title,
    lines: [line(title, rule.read)],
    write: writeAmount[rule.unit],
  })
  return [
    ruled("Heap in use", rules.heap),
    ruled("Memory of the process", rules.memory),
    {
      title: "Handles and descriptors",
      lines: [line("handles", rules.handles.read), line("descriptors", rules.descriptors.read)],
      write: writeAmount.count,
    },
    ruled("Database connections", rules.connections),
    {
      title: "Outbox",
      lines: [line("waiting", ({ database }) => database.outboxRows), line("to be sent now", rules.outbox.read)],
      write: writeAmount.count,
    },
    ruled("Dead rows, tables that don't grow", rules.deadRows),
    {
      title: "Tables and indexes",
      lines: [line("that keep charges", rules.kept.read), line("that don't grow", rules.churned.read)],
      write: writeAmount.bytes,
    },
    ruled("Write-ahead log a charge", rules.walBytes),
    {
      title: "Time to issue, logarithmic",
      lines: [line("p50", ({ load }) => load.window.issue.p50), line("p99", ({ load }) => load.window.issue.p99)],
      write: writeMs,
      isLogarithmic: true,
    },
  ]
}

/** A run as a picture: the quantiles of its operations, and what was measured over time. */
export const drawSoak = (results: SoakResults): string => {
  const panels = panelsOf(results.samples)
  const panelsTop = quantilesHeight + margin + 10
  const marks = results.faults.map(({ atMs }) => atMs / (results.minutes * 60_000))
  const height = panelsTop + Math.ceil(panels.length / columns) * (panelHeight + gap) + gap
  const drawn = panels.map((panel, at) =>
    drawPanel(
      panel,
      {
        x: margin + (at % columns) * (panelWidth + gap),
        y: panelsTop + Math.floor(at / columns) * (panelHeight + gap),
      },
      marks,
    ),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif">
  <title id="title">${results.minutes} minutes of mixed load at ${results.rate} charges a second, with faults</title>
  <style>${style}
  </style>
  <rect class="page" width="${width}" height="${height}" rx="12" />
  ${drawQuantiles(results.measured, margin)}
  ${drawn.join("\n  ")}
  ${textAt("note", margin, height - 8, "Time runs to the right; each red tick is a fault.")}
</svg>
`
}
