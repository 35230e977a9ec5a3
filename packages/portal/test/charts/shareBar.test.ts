import { describe, expect, it } from "vitest"
import { type Share, shareBar } from "../../src/charts/shareBar.ts"
import { draw, readNumber } from "./draw.ts"

const drawChart = (shares: ReadonlyArray<Share>) => draw(shareBar({ id: "s", title: "t", description: "d", shares }))

describe("shareBar", () => {
  it("places the parts one after the other, without parts of 0", async () => {
    const { elements } = await drawChart([
      { tone: "good", title: "paid", value: 3 },
      { tone: "waiting", title: "waiting", value: 0 },
      { tone: "bad", title: "expired", value: 1 },
    ])
    const parts = elements("rect", "chart-part")
    expect(parts.map((part) => [readNumber(part, "x"), readNumber(part, "width")])).toEqual([
      [0, 300],
      [300, 100],
    ])
  })

  it("is empty if all parts are 0", async () => {
    const { elements, text } = await drawChart([{ tone: "good", title: "paid", value: 0 }])
    expect(elements("rect", "chart-part")).toEqual([])
    expect(text).not.toContain("NaN")
  })
})
