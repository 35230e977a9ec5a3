import { type Html, html } from "@pixcharge/web"
import { scaleBand } from "d3-scale"
import { type Series, stack } from "d3-shape"
import { chart, type ChartText, coordinate, labelAxis, plot, valueAxis, wholeHeight } from "./Chart.ts"

export interface Bar {
  /** The label below the bar. */
  readonly label: string
  /** Shown on hover. */
  readonly title: string
  readonly values: ReadonlyArray<number>
}

export interface Marker {
  /** The bar's index, from 0. */
  readonly bar: number
  readonly label: string
}

/** The stylesheet gives each tone its colour. */
export type Tone = "good" | "waiting" | "bad" | "plain" | "quiet"

export interface BarChart extends ChartText {
  readonly bars: ReadonlyArray<Bar>
  readonly tones: ReadonlyArray<Tone>
  readonly tick: (value: number) => string
  readonly isHistogram?: boolean
  readonly markers?: ReadonlyArray<Marker>
}

const maxBarWidth = 40

const total = ({ values }: Bar): number => values.reduce((sum, value) => sum + value, 0)

const markerLine = ({ label }: Marker, x: number, row: number): Html => {
  const isRight = x > (plot.left + plot.right) / 2
  return html`<line
      class="chart-marker"
      x1="${coordinate(x)}"
      x2="${coordinate(x)}"
      y1="${plot.top + row * 15 - 8}"
      y2="${plot.bottom}"
    />
    <text
      class="chart-marker-label ${isRight ? "chart-label-before" : "chart-label-after"}"
      x="${coordinate(isRight ? x - 5 : x + 5)}"
      y="${plot.top + row * 15}"
    >
      ${label}
    </text>`
}

export const barChart = ({ bars, tones, tick, isHistogram = false, markers = [], ...text }: BarChart): Html => {
  const { y, grid, base } = valueAxis(bars.map(total), tick)
  const band = scaleBand(bars.keys(), [plot.left, plot.right]).padding(isHistogram ? 0.06 : 0.24)
  const width = isHistogram ? band.bandwidth() : Math.min(band.bandwidth(), maxBarWidth)
  const middle = (index: number): number => (band(index) ?? 0) + band.bandwidth() / 2
  const layers = stack<Bar, number>()
    .keys(tones.keys())
    .value(({ values }, tone) => values[tone] ?? 0)([...bars])

  const piece = (tone: Tone, index: number, [from, to]: readonly [number, number]): Html | false =>
    to > from &&
    html`<rect
      class="chart-tone-${tone}"
      x="${coordinate(middle(index) - width / 2)}"
      y="${coordinate(y(to))}"
      width="${coordinate(width)}"
      height="${coordinate(y(from) - y(to))}"
    />`
  const pieces = (index: number) =>
    layers.map((layer: Series<Bar, number>) => {
      const [from = 0, to = 0] = layer[index] ?? []
      return piece(tones[layer.key] ?? "plain", index, [from, to])
    })
  // The whole column of the bar reacts to the pointer, even if the bar's value is 0.
  const place = (bar: Bar, index: number): Html =>
    html`<g class="chart-bar">
      <title>${bar.title}</title>
      <path class="chart-place" d="${wholeHeight(band(index) ?? 0, band.bandwidth())}" />
      ${pieces(index)}
    </g>`
  return chart(
    text,
    html`${grid} ${bars.map(place)} ${base}
    ${labelAxis(
      bars.map(({ label }) => label),
      middle,
    )}
    ${markers.map((marker, row) => markerLine(marker, (band(marker.bar) ?? 0) + band.bandwidth(), row))}`,
  )
}
