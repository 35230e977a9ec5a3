/** A line of a panel. */
export interface Line {
  readonly name: string
  /** Values at the samples, in their order. */
  readonly values: ReadonlyArray<number>
}

/** A small chart of one or two lines over the time of the run. */
export interface Panel {
  readonly title: string
  readonly lines: readonly [Line] | readonly [Line, Line]
  readonly write: (value: number) => string
  /** Each step up is ten times as much, and 1 lies on the axis. */
  readonly isLogarithmic?: true
}

/** Where a panel lies, in the picture's units. */
export interface Place {
  readonly x: number
  readonly y: number
}

export const panelWidth = 270
export const panelHeight = 120
const plotTop = 34
const plotHeight = 62

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** A text of the picture. */
export const textAt = (kind: string, x: number, y: number, text: string, anchor = "start"): string =>
  `<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${escape(text)}</text>`

const round = (value: number): number => Math.round(value * 10) / 10

/** A tick below the axis for each fault, at its share of the run. */
const drawMarks = (marks: ReadonlyArray<number>, x: number, bottom: number): string =>
  `<path class="mark" d="${marks.map((share) => `M${round(x + share * panelWidth)} ${bottom + 1}v4`).join("")}" />`

/** One panel: its lines from zero to the largest value, over the share of the run that each sample stands for. */
export const drawPanel = (
  { title, lines, write, isLogarithmic }: Panel,
  { x, y }: Place,
  marks: ReadonlyArray<number>,
): string => {
  const largest = Math.max(...lines.flatMap(({ values }) => values), Number.EPSILON)
  const heightOf = (value: number): number =>
    isLogarithmic ? Math.log10(Math.max(value, 1)) / Math.log10(Math.max(largest, 10)) : Math.max(value, 0) / largest
  const bottom = y + plotTop + plotHeight
  const path = ({ values }: Line): string =>
    values
      .map((value, at) => {
        const px = x + (values.length < 2 ? 0 : (at / (values.length - 1)) * panelWidth)
        return `${at === 0 ? "M" : "L"}${round(px)} ${round(bottom - heightOf(value) * plotHeight)}`
      })
      .join("")
  const legend = lines.length === 2 ? lines.map(({ name }) => name) : []
  return [
    textAt("name", x, y + 14, title),
    textAt("note", x + panelWidth, y + 28, write(largest), "end"),
    `<path class="axis" d="M${x} ${bottom}h${panelWidth}" />`,
    drawMarks(marks, x, bottom),
    ...lines.map((line, at) => `<path class="line${at}" d="${path(line)}" />`),
    ...legend.map((name, at) => textAt(`key${at}`, x + at * 110, y + panelHeight - 6, name)),
  ].join("\n  ")
}
