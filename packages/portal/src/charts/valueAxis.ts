import { type Html, html } from "@pixcharge/web"
import { scaleLinear } from "d3-scale"
import { coordinate, plot } from "./Chart.ts"

/** How values become heights. */
export interface ValueAxis {
  /** The y coordinate of a value. */
  readonly y: (value: number) => number
  /** The grid's lines with their labels, to be drawn first. */
  readonly grid: Html
  /** The line on which everything stands, to be drawn last. */
  readonly base: Html
}

const minTicks = 4

const across = (className: string, y: number): Html =>
  html`<line class="${className}" x1="${plot.left}" x2="${plot.right}" y1="${coordinate(y)}" y2="${coordinate(y)}" />`

const gridLine = (y: number, label: string): Html =>
  html`${across("chart-grid", y)}
    <text class="chart-value" x="${plot.left - 6}" y="${coordinate(y)}" dy="0.32em">${label}</text>`

/**
 * An axis from 0 to a round number that covers the largest value, which is given if the axis is to end there. Values are
 * whole, cents or counts, unless a top is given; where there is nothing but 0, the baseline is all there is.
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
    base: across("chart-base", plot.bottom),
  }
}
