import { type Html, html, type HtmlChild } from "@pixcharge/web"
import { scaleLinear } from "d3-scale"

export interface ChartText {
  readonly id: string
  readonly title: string
  /** A sentence with the figures. Screen readers read it. */
  readonly description: string
}

/** Sizes in the drawing's units. The stylesheet scales the drawing. */
export const drawing = { width: 400, height: 224 } as const

export const plot = { left: 50, right: 394, top: 14, bottom: 196 } as const

export const coordinate = (value: number): number => Math.round(value * 10) / 10

/** As high as the plot; short, because a page has many such paths. */
export const wholeHeight = (x: number, width: number): string => {
  const [left, across, height] = [coordinate(x), coordinate(width), plot.bottom - plot.top]
  return `M${left} ${plot.top}h${across}v${height}h-${across}z`
}

export const chart = ({ id, title, description }: ChartText, content: HtmlChild): Html =>
  html`<svg
    class="chart"
    viewBox="0 0 ${drawing.width} ${drawing.height}"
    role="img"
    aria-labelledby="${id}-title ${id}-description"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-description">${description}</desc>
    ${content}
  </svg>`

/** The approximate width of a character on phones, where text is largest. */
const characterWidth = 8
const gap = 10

/** Returns `n` such that every `n`th label has room. */
export const labelStep = (labels: ReadonlyArray<string>): number => {
  const widest = Math.max(0, ...labels.map(({ length }) => length)) * characterWidth + gap
  const room = Math.max(1, Math.floor((plot.right - plot.left) / widest))
  return Math.max(1, Math.ceil(labels.length / room))
}

/** The labels below the plot. */
export const labelAxis = (labels: ReadonlyArray<string>, x: (index: number) => number): Html => {
  const step = labelStep(labels)
  return html`${labels.map(
    (label, index) =>
      index % step === 0 &&
      html`<text class="chart-label" x="${coordinate(x(index))}" y="${plot.bottom + 18}">${label}</text>`,
  )}`
}

export interface ValueAxis {
  readonly y: (value: number) => number
  /** Lines and labels. Draw them first. */
  readonly grid: Html
  /** The baseline. Draw it last. */
  readonly base: Html
}

const minTicks = 4

const horizontalLine = (className: string, y: number): Html =>
  html`<line class="${className}" x1="${plot.left}" x2="${plot.right}" y1="${coordinate(y)}" y2="${coordinate(y)}" />`

const gridLine = (y: number, label: string): Html =>
  html`${horizontalLine("chart-grid", y)}
    <text class="chart-value" x="${plot.left - 6}" y="${coordinate(y)}" dy="0.32em">${label}</text>`

/**
 * From 0 to a round number above the largest value, or to `top`. Without `top`, values are whole numbers: cents or counts. If all
 * are 0, 0 is the only label.
 */
export const valueAxis = (values: ReadonlyArray<number>, label: (value: number) => string, top?: number): ValueAxis => {
  const largest = top ?? Math.max(0, ...values)
  const scale = scaleLinear([0, largest || 1], [plot.bottom, plot.top])
  if (top === undefined) scale.nice(minTicks)
  const ticks = scale.ticks(minTicks).filter((tick) => top !== undefined || Number.isInteger(tick))
  const shown = largest === 0 ? [0] : ticks
  return {
    y: (value) => scale(value),
    grid: html`${shown.map((tick) => gridLine(scale(tick), label(tick)))}`,
    base: horizontalLine("chart-base", plot.bottom),
  }
}
