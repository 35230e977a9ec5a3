import { describe, expect, it } from "vitest"
import { makeRecentMap } from "../../src/runtime/RecentMap.ts"

describe("a map of recent entries", () => {
  it("keeps at least half of its maximum, and never more than the maximum", () => {
    const map = makeRecentMap<number, number>(1_000)
    for (let n = 0; n < 10_000; n++) {
      map.set(n, n)
      expect(map.values().length).toBeLessThanOrEqual(1_000)
    }
    for (let n = 9_500; n < 10_000; n++) expect(map.get(n)).toBe(n)
    expect(map.get(0)).toBeUndefined()
  })

  it("keeps used entries", () => {
    const map = makeRecentMap<string, string>(10)
    map.set("used", "x")
    for (let n = 0; n < 100; n++) {
      map.set(`${n}`, "y")
      expect(map.get("used")).toBe("x")
    }
  })

  it("lists an entry that was set again once, with its latest value", () => {
    const map = makeRecentMap<string, string>(10)
    map.set("again", "first")
    for (let n = 0; n < 5; n++) map.set(`${n}`, "other")
    map.set("again", "second")
    expect(map.get("again")).toBe("second")
    expect(map.values().filter((value) => value !== "other")).toEqual(["second"])
  })

  it("doesn't keep long keys, to bound its memory", () => {
    const map = makeRecentMap<string, number>(1_000)
    map.set("known", 1)
    for (let n = 0; n < 5_000; n++) map.set(`${n}`.padEnd(4_096, "x"), n)
    expect(map.values()).toEqual([1])
    map.set("x".repeat(2_049), 2)
    expect(map.get("x".repeat(2_049))).toBeUndefined()
    map.set("x".repeat(2_048), 3)
    expect(map.get("x".repeat(2_048))).toBe(3)
  })

  it("sweeps once per interval, for any number of callers", () => {
    const map = makeRecentMap<string, number>(1_000)
    map.sweepEach(1_000, 10_000)
    map.set("first", 1)
    map.sweepEach(1_000, 10_999)
    map.sweepEach(1_000, 10_999)
    expect(map.values()).toEqual([1])
    map.sweepEach(1_000, 11_000)
    map.sweepEach(1_000, 11_999)
    expect(map.values()).toEqual([1])
    map.sweepEach(1_000, 12_000)
    expect(map.values()).toEqual([])
  })

  it("forgets deleted entries, and entries unused during two sweeps", () => {
    const map = makeRecentMap<string, number>(10)
    for (const [n, key] of ["old", "swept", "used"].entries()) map.set(key, n)
    map.sweep()
    map.set("young", 9)
    for (const key of ["old", "young", "nobody"]) map.delete(key)
    expect(map.get("used")).toBe(2)
    expect(map.values().toSorted()).toEqual([1, 2])
    map.sweep()
    expect(map.values()).toEqual([2])
    map.clear()
    expect(map.values()).toEqual([])
  })
})
