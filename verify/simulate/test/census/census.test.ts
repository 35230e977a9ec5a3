import { describe, expect, it } from "vitest"
import { Census, findLostReach, freshOf, leastRuns } from "../../census/Census.ts"

const censusOf = (states: (seed: number) => ReadonlyArray<string>, runs = leastRuns): Census => {
  const census = new Census()
  for (let seed = 1; seed <= runs; seed++) census.add(seed, states(seed))
  return census
}

describe("the census", () => {
  const inTen = (seed: number) => (seed % 10 === 0 ? ["rare"] : [])

  it("finds a state that fell below half its noted rate", () => {
    expect(censusOf(inTen).findRarer({ rare: 201 })).toEqual([
      expect.stringContaining('100 of 1000 runs reach the state "rare"'),
    ])
    expect(censusOf(inTen).findRarer({ gone: 40 })).toHaveLength(1)
  })

  it("accepts half the rate, a rate that chance decides, and few runs", () => {
    expect(censusOf(inTen).findRarer({ rare: 200, gone: 20 })).toEqual([])
    expect(censusOf(inTen, leastRuns - 1).findRarer({ gone: 1_000 })).toEqual([])
  })

  it("chooses the seeds that reach what others don't", () => {
    const census = censusOf(
      (seed) => (seed === 7 ? ["usual", "once"] : seed === 9 ? ["twice", "usual"] : ["usual"]),
      20,
    )
    const chosen = census.choose(2)
    expect([...chosen].toSorted()).toEqual([7, 9])
    expect(census.reach(chosen)).toBe(3)
  })

  it("finds a list whose seeds reach too little by now", () => {
    const census = censusOf((seed) => [`state ${seed % 10}`], 10)
    const seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    expect(findLostReach(census, { seeds, reach: 11 })).toBeUndefined()
    expect(findLostReach(census, { seeds, reach: 12 })).toContain("reach 10 states")
  })
})

it("each commit has fresh seeds of its own", () => {
  expect(freshOf("ffffffff00")).toHaveLength(10)
  expect(freshOf("ffffffff00")[9]).toBeLessThan(2 ** 32)
  expect(freshOf("0000001")[0]).toBe(freshOf("0000000")[9]! + 1)
})
