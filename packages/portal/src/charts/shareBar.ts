import { type Html, html } from "@pixcharge/web"
import { scaleLinear } from "d3-scale"
import type { Tone } from "./barChart.ts"
import { type ChartText, coordinate, drawing } from "./Chart.ts"

export interface Share {
  readonly tone: Tone
  readonly title: string
  readonly value: number
}

export interface ShareBar extends ChartText {
  readonly shares: ReadonlyArray<Share>
}

const height = 28

export const shareBar = ({ id, title, description, shares }: ShareBar): Html => {
  const whole = shares.reduce((sum, { value }) => sum + value, 0)
  const x = scaleLinear([0, whole || 1], [0, drawing.width])
  let before = 0
  const parts = shares.map(({ tone, title: partTitle, value }) => {
    const from = x(before)
    before += value
    return (
      value > 0 &&
      html`<rect
        class="chart-tone-${tone} chart-part"
        x="${coordinate(from)}"
        y="0"
        width="${coordinate(x(before) - from)}"
        height="${height}"
      >
        <title>${partTitle}</title>
      </rect>`
    )
  })
  return html`<svg
    class="chart chart-share"
    viewBox="0 0 ${drawing.width} ${height}"
    preserveAspectRatio="none"
    role="img"
    aria-labelledby="${id}-title ${id}-description"
  >
    <title id="${id}-title">${title}</title>
    <desc id="${id}-description">${description}</desc>
    <rect class="chart-empty" width="${drawing.width}" height="${height}" />
    ${parts}
  </svg>`
}
