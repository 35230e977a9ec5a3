import { type Html, html } from "@pixcharge/web"
import { scaleLinear } from "d3-scale"
import { area, line } from "d3-shape"
import { chart, type ChartText, coordinate, plot, wholeHeight } from "./Chart.ts"
import { labelAxis } from "./labelAxis.ts"
import { valueAxis } from "./valueAxis.ts"

/** One step. */
export interface Step {
  readonly label: string
  readonly title: string
  /** Undefined where there is nothing to show: the line has a gap there. */
  readonly value: number | undefined
}

export interface StepChart extends ChartText {
  readonly steps: ReadonlyArray<Step>
  readonly tick: (value: number) => string
  /** Where the axis ends. */
  readonly top: number
}

interface Corner {
  readonly at: number
  readonly value: number | undefined
}

/** Both ends of each step, and between two of them a gap where either has no value. */
const corners = (steps: ReadonlyArray<Step>): ReadonlyArray<Corner> =>
  steps.flatMap(({ value }, at) => [
    { at, value },
    { at: at + 1, value },
  ])

/** Values that hold for a while each, as a line of steps over a baseline of 0. */
export const stepChart = ({ steps, tick, top, ...text }: StepChart): Html => {
  const { y, grid, base } = valueAxis([], tick, top)
  const x = scaleLinear([0, steps.length || 1], [plot.left, plot.right])
  const all = [...corners(steps)]
  const path = line<Corner>(
    ({ at }) => coordinate(x(at)),
    ({ value = 0 }) => coordinate(y(value)),
  ).defined(({ value }) => value !== undefined)
  const ground = area<Corner>(
    ({ at }) => coordinate(x(at)),
    plot.bottom,
    ({ value = 0 }) => coordinate(y(value)),
  ).defined(({ value }) => value !== undefined)
  const place = ({ title }: Step, index: number): Html =>
    html`<path class="chart-place" d="${wholeHeight(x(index), x(1) - x(0))}"><title>${title}</title></path>`
  return chart(
    text,
    html`${grid}
      <path class="chart-ground" d="${ground(all) ?? ""}" />
      <path class="chart-line" d="${path(all) ?? ""}" />
      ${base} ${steps.map(place)}
      ${labelAxis(
        steps.map(({ label }) => label),
        (index) => x(index + 0.5),
      )}`,
  )
}
