import { type Html, type HtmlChild, html } from "@pixcharge/web"

/** The texts of a chart, for screen readers too. */
export interface ChartText {
  /** Names the chart within its page. */
  readonly id: string
  readonly title: string
  /** Says what the chart shows, in a sentence with its figures. */
  readonly description: string
}

/** The size of a drawing, in units of its own: the stylesheet scales it to its place. */
export const drawing = { width: 400, height: 224 } as const

/** The part of a drawing that has the values. The labels of the axes stand around it. */
export const plot = { left: 50, right: 394, top: 14, bottom: 196 } as const

/** A coordinate with one decimal, finer than any screen. */
export const coordinate = (value: number): number => Math.round(value * 10) / 10

/** The whole height of a part of the plot, as the `d` of a path. It is short, because a page has many. */
export const wholeHeight = (x: number, width: number): string => {
  const [left, across, height] = [coordinate(x), coordinate(width), plot.bottom - plot.top]
  return `M${left} ${plot.top}h${across}v${height}h-${across}z`
}

/** A drawing with its title and description: one image for screen readers. */
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
