import { describe, expect, it } from "vitest"
import { type Bar, barChart } from "../../src/charts/barChart.ts"
import { labelStep, plot } from "../../src/charts/Chart.ts"
import { draw, readNumber } from "./draw.ts"

const text = { id: "c", title: "A title", description: "A description" }
const bar = (...values: ReadonlyArray<number>): Bar => ({ label: "01/11", title: `is ${values.join(" and ")}`, values })

const drawChart = (bars: ReadonlyArray<Bar>, more: Partial<Parameters<typeof barChart>[0]> = {}) =>
  draw(barChart({ ...text, bars, tones: ["plain"], tick: String, ...more }))

describe("barChart", () => {
  it("draws bars from a baseline of 0 with heights in proportion to their values", async () => {
    const { elements, texts } = await drawChart([bar(100), bar(50), bar(0), bar(400)])
    const bars = elements("rect", "chart-tone-plain")
    expect(bars.map((each) => readNumber(each, "height") / readNumber(bars[2], "height"))).toEqual(
      [0.25, 0.125, 1].map((share) => expect.closeTo(share, 2)),
    )
    for (const each of bars) expect(readNumber(each, "y") + readNumber(each, "height")).toBeCloseTo(plot.bottom, 0)
    expect(texts("chart-value")).toEqual(["0", "100", "200", "300", "400"])
  })

  it.each([
    [1, ["0", "1"]],
    [3, ["0", "1", "2", "3"]],
    [7, ["0", "2", "4", "6", "8"]],
    [123_456, ["0", "50000", "100000", "150000"]],
    [9_999_999_999_999, ["0", "2000000000000", "4000000000000", "6000000000000", "8000000000000", "10000000000000"]],
  ])("labels the axis with round whole numbers up to the largest value %d", async (largest, ticks) => {
    const { texts, text: markup } = await drawChart([bar(largest)])
    expect(texts("chart-value")).toEqual(ticks)
    expect(markup).not.toContain("NaN")
  })

  it("draws only the baseline if all values are 0", async () => {
    const { elements, texts } = await drawChart([bar(0), bar(0)])
    expect(texts("chart-value")).toEqual(["0"])
    expect(elements("rect", "chart-tone-plain")).toEqual([])
    expect(elements("line", "chart-base")).toHaveLength(1)
  })

  it("draws a chart without bars", async () => {
    const { texts, text: markup } = await drawChart([])
    expect(texts("chart-value")).toEqual(["0"])
    expect(markup).not.toMatch(/NaN|undefined|Infinity/)
  })

  it("centres a single bar, which isn't wider than the maximum", async () => {
    const { elements } = await drawChart([bar(5)])
    const [only] = elements("rect", "chart-tone-plain")
    expect(readNumber(only, "width")).toBeLessThanOrEqual(40)
    expect(readNumber(only, "x") + readNumber(only, "width") / 2).toBeCloseTo((plot.left + plot.right) / 2, 0)
  })

  it("stacks the values of a bar, each in its tone", async () => {
    const { elements } = await drawChart([bar(3, 0, 1)], { tones: ["good", "waiting", "bad"] })
    const [good] = elements("rect", "chart-tone-good")
    const [bad] = elements("rect", "chart-tone-bad")
    expect(elements("rect", "chart-tone-waiting")).toEqual([])
    expect(readNumber(bad, "y") + readNumber(bad, "height")).toBeCloseTo(readNumber(good, "y"), 1)
    expect(readNumber(good, "height") / readNumber(bad, "height")).toBeCloseTo(3, 1)
  })

  it("labels the first bar and as many others as have room", async () => {
    const month = Array.from({ length: 31 }, (_, day) => ({
      ...bar(day),
      label: `${String(day + 1).padStart(2, "0")}/10`,
    }))
    const { elements, texts } = await drawChart(month)
    const labels = texts("chart-label")
    expect(labels[0]).toBe("01/10")
    const places = elements("text", "chart-label").map((label) => readNumber(label, "x"))
    for (const [index, x] of places.slice(1).entries()) expect(x - (places[index] ?? 0)).toBeGreaterThanOrEqual(48)
    expect(labels.length).toBeGreaterThanOrEqual(5)
    expect(labelStep(month.map(({ label }) => label))).toBe(6)
  })

  it("draws markers at the ends of bars, with each label on a separate row inside the chart", async () => {
    const bars = [bar(1), bar(2), bar(3), bar(4)]
    const { elements, texts } = await drawChart(bars, {
      isHistogram: true,
      markers: [
        { bar: 0, label: "median" },
        { bar: 3, label: "90%" },
      ],
    })
    const [first, last] = elements("line", "chart-marker")
    const drawnBars = elements("rect", "chart-tone-plain")
    expect(readNumber(first, "x1")).toBeCloseTo(readNumber(drawnBars[0], "x") + readNumber(drawnBars[0], "width"), 0)
    expect(readNumber(last, "x1")).toBeCloseTo(readNumber(drawnBars[3], "x") + readNumber(drawnBars[3], "width"), 0)
    expect(texts("chart-label-after")).toEqual(["median"])
    expect(texts("chart-label-before")).toEqual(["90%"])
    const rows = elements("text", "chart-marker-label").map((label) => label["y"])
    expect(new Set(rows).size).toBe(2)
  })

  it("is one image with title and description, and shows the values of a bar on hover", async () => {
    const { text: markup } = await drawChart([bar(5)], { title: "<b>" })
    expect(markup).toContain(`role="img"`)
    expect(markup).toContain(`aria-labelledby="c-title c-description"`)
    expect(markup).toContain(`<title id="c-title">&lt;b&gt;</title>`)
    expect(markup).toContain(`<desc id="c-description">A description</desc>`)
    expect(markup).toContain("<title>is 5</title>")
    expect(markup).not.toContain("style=")
  })
})
