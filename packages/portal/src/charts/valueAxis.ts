import { type Html, html } from "@pixcharge/web"
import { scaleLinear } from "d3-scale"
import { coordinate, plot } from "./Chart.ts"

/** The scale of values. */
export interface ValueAxis {
  /** The y coordinate of a value. */
  readonly y: (value: number) => number
  /** The lines of the grid with their labels. Draw them first. */
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
 * An axis from 0 to a round number that covers the largest value, or to `top`.
 *
 * Without `top`, values are whole: cents or counts. If all are 0, there is the baseline alone.
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
