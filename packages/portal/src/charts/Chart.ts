import { type Html, type HtmlChild, html } from "@pixcharge/web"

/** What a chart says of itself, to those who don't see it too. */
export interface ChartText {
  /** Names the chart within its page. */
  readonly id: string
  readonly title: string
  /** What there is to see, in a sentence with its figures. */
  readonly description: string
}

/** A drawing is so large, in units of its own: the stylesheet gives it the width of its place. */
export const drawing = { width: 400, height: 224 } as const

/** Where in a drawing the values lie; around it stand the axes' labels. */
export const plot = { left: 50, right: 394, top: 14, bottom: 196 } as const

/** A coordinate with one decimal, which is finer than any screen. */
export const coordinate = (value: number): number => Math.round(value * 10) / 10

/** The whole height of a part of the plot, as the `d` of a path: as short as can be, because there are so many. */
export const wholeHeight = (x: number, width: number): string => {
  const [left, across, height] = [coordinate(x), coordinate(width), plot.bottom - plot.top]
  return `M${left} ${plot.top}h${across}v${height}h-${across}z`
}

/** A drawing with its title and description, for screen readers one image. */
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
