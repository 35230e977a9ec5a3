import { type Html, html } from "@pixcharge/web"
import { coordinate, plot } from "./Chart.ts"

/** About the width of a character, on a phone: letters are largest there, in the units of a drawing. */
const characterWidth = 8
const gap = 10

/** Every how many-th label is drawn, so that they have room. */
export const labelStep = (labels: ReadonlyArray<string>): number => {
  const widest = Math.max(0, ...labels.map(({ length }) => length)) * characterWidth + gap
  const room = Math.max(1, Math.floor((plot.right - plot.left) / widest))
  return Math.max(1, Math.ceil(labels.length / room))
}

/** Labels below the baseline: the first one, and further ones that have room. `x` gives the place of each. */
export const labelAxis = (labels: ReadonlyArray<string>, x: (index: number) => number): Html => {
  const step = labelStep(labels)
  return html`${labels.map(
    (label, index) =>
      index % step === 0 &&
      html`<text class="chart-label" x="${coordinate(x(index))}" y="${plot.bottom + 18}">${label}</text>`,
  )}`
}
