import { describe, expect, it } from "vitest"
import { plot } from "../../src/charts/Chart.ts"
import { type Step, stepChart } from "../../src/charts/stepChart.ts"
import { draw } from "./draw.ts"

const steps = (...values: ReadonlyArray<number | undefined>): ReadonlyArray<Step> =>
  values.map((value, index) => ({ label: `${index}h`, title: `at ${index}`, value }))

const drawChart = (all: ReadonlyArray<Step>) =>
  draw(
    stepChart({
      id: "s",
      title: "t",
      description: "d",
      steps: all,
      top: 1,
      tick: (share) => `${Math.round(share * 100)}%`,
    }),
  )

const width = plot.right - plot.left
const height = plot.bottom - plot.top

describe("stepChart", () => {
  it("draws each value as a level line for its whole step, on an axis from 0 to `top`", async () => {
    const { elements, texts } = await drawChart(steps(0.5, 1))
    const [line] = elements("path", "chart-line")
    const middle = plot.left + width / 2
    const half = plot.bottom - height / 2
    expect(line?.["d"]).toBe(`M${plot.left},${half}L${middle},${half}L${middle},${plot.top}L${plot.right},${plot.top}`)
    expect(texts("chart-value")).toEqual(["0%", "20%", "40%", "60%", "80%", "100%"])
  })

  it("leaves a gap for a missing value, and draws a value between two gaps", async () => {
    const { elements } = await drawChart(steps(undefined, 0.5, undefined, 0))
    const [line] = elements("path", "chart-line")
    const quarter = width / 4
    const half = plot.bottom - height / 2
    expect(line?.["d"]).toBe(
      `M${plot.left + quarter},${half}L${plot.left + 2 * quarter},${half}` +
        `M${plot.left + 3 * quarter},${plot.bottom}L${plot.right},${plot.bottom}`,
    )
  })

  it("draws only the axis if there are no values", async () => {
    const { text, elements } = await drawChart(steps(undefined, undefined))
    expect(elements("path", "chart-line")[0]?.["d"]).toBe("")
    expect(text).not.toMatch(/NaN|undefined|style=/)
    expect((await drawChart([])).text).not.toMatch(/NaN|Infinity/)
  })
})
