import { type Html, html } from "@pixcharge/web"
import { scaleLinear } from "d3-scale"
import { area, line } from "d3-shape"
import { chart, type ChartText, coordinate, labelAxis, plot, valueAxis, wholeHeight } from "./Chart.ts"

export interface Step {
  readonly label: string
  readonly title: string
  /** Undefined for a gap in the line. */
  readonly value: number | undefined
}

export interface StepChart extends ChartText {
  readonly steps: ReadonlyArray<Step>
  readonly tick: (value: number) => string
  readonly top: number
}

interface Corner {
  readonly at: number
  readonly value: number | undefined
}

const listCorners = (steps: ReadonlyArray<Step>): ReadonlyArray<Corner> =>
  steps.flatMap(({ value }, index) => [
    { at: index, value },
    { at: index + 1, value },
  ])

/** The value axis goes from 0 to `top`. */
export const stepChart = ({ steps, tick, top, ...text }: StepChart): Html => {
  const { y, grid, base } = valueAxis([], tick, top)
  const x = scaleLinear([0, steps.length || 1], [plot.left, plot.right])
  const all = [...listCorners(steps)]
  const path = line<Corner>(
    ({ at }) => coordinate(x(at)),
    ({ value = 0 }) => coordinate(y(value)),
  ).defined(({ value }) => value !== undefined)
  const ground = area<Corner>(
    ({ at }) => coordinate(x(at)),
    plot.bottom,
    ({ value = 0 }) => coordinate(y(value)),
  ).defined(({ value }) => value !== undefined)
  const hoverArea = ({ title }: Step, index: number): Html =>
    html`<path class="chart-place" d="${wholeHeight(x(index), x(1) - x(0))}"><title>${title}</title></path>`
  return chart(
    text,
    html`${grid}
      <path class="chart-ground" d="${ground(all) ?? ""}" />
      <path class="chart-line" d="${path(all) ?? ""}" />
      ${base} ${steps.map(hoverArea)}
      ${labelAxis(
        steps.map(({ label }) => label),
        (index) => x(index + 0.5),
      )}`,
  )
}
