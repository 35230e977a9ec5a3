import { describe, expect, it } from "vitest"
import { generationSize, makeRecentMap } from "../src/RecentMap.ts"

describe("a map of recent entries", () => {
  it("keeps its youngest entries and forgets the oldest", () => {
    const map = makeRecentMap<number>()
    for (let n = 0; n < 3 * generationSize; n++) map.set(`${n}`, n)
    const youngest = Array.from({ length: generationSize }, (_, n) => 3 * generationSize - 1 - n)
    expect(youngest.every((n) => map.get(`${n}`) === n)).toBe(true)
    expect(map.get("0")).toBeUndefined()
    expect(map.values().length).toBeLessThanOrEqual(2 * generationSize)
  })

  it("shows an entry that was set again once, with its latest value", () => {
    const map = makeRecentMap<string>()
    map.set("again", "first")
    for (let n = 0; n < generationSize; n++) map.set(`${n}`, "other")
    map.set("again", "second")
    expect(map.get("again")).toBe("second")
    expect(map.values().filter((value) => value !== "other")).toEqual(["second"])
  })
})
