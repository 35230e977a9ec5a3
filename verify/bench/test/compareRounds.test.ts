import { describe, expect, it } from "vitest"
import { compareRounds } from "../compareRounds.ts"

describe("the comparison with a peer", () => {
  it("is the median of the rounds' ratios, not the ratio of the medians", () => {
    const { ratio } = compareRounds([1, 10, 2, 20, 5], [3, 30, 4, 20, 20])
    expect(ratio).toBe(3)
  })

  it("has the quartiles of the rounds' ratios from five rounds on", () => {
    const { spread } = compareRounds([1, 1, 1, 1, 1], [5, 1, 4, 2, 3])
    expect(spread).toEqual({ rounds: 5, from: 2, until: 4 })
  })

  it("has the minimum and maximum if there are fewer rounds", () => {
    const { spread } = compareRounds([1, 1, 1, 1], [5, 1, 4, 2])
    expect(spread).toEqual({ rounds: 4, from: 1, until: 5 })
  })

  it("compares each round with a fixed figure", () => {
    expect(compareRounds([500, 250, 1_000], 1_000)).toEqual({ ratio: 2, spread: { rounds: 3, from: 1, until: 4 } })
  })

  it("rejects a round that the peer doesn't have", () => {
    expect(() => compareRounds([1, 2], [1])).toThrow("2 rounds of ours can't be paired with 1 of theirs")
  })
})
