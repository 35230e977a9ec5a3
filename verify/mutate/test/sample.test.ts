import { describe, expect, it } from "vitest"
import { withoutEquivalents } from "../equivalents.ts"
import { leastShare } from "../report.ts"
import { choose, sample } from "../sample.ts"
import { type Site, sitesOf } from "../Site.ts"
import { parseSource } from "../Source.ts"

const sitesIn = (owner: string, count: number): ReadonlyArray<Site> =>
  sitesOf(parseSource(`packages/${owner}/src/a.ts`, Array.from({ length: count }, (_, n) => `a${n} && b\n`).join("")))

const sites = [...sitesIn("large", 90), ...sitesIn("small", 10)].filter(({ operator }) => operator === "&& and ||")
const idsOf = (chosen: ReadonlyArray<Site>) => chosen.map(({ id }) => id)

describe("a sample", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(idsOf(sample(sites, 20, 1))).toEqual(idsOf(sample(sites, 20, 1)))
    expect(idsOf(sample(sites, 20, 1))).not.toEqual(idsOf(sample(sites, 20, 2)))
  })

  it("takes of each package in proportion to its sites", () => {
    const owners = sample(sites, 20, 1).map(({ owner }) => owner)
    expect(owners.filter((owner) => owner === "large").length).toBe(18)
    expect(owners.filter((owner) => owner === "small").length).toBe(2)
    expect(sample(sites, 1_000, 1)).toEqual(sites)
  })

  it("keeps what it had when a site is added", () => {
    const before = sample(sites, 50, 1)
    const after = new Set(idsOf(sample([...sites, ...sitesIn("large", 91).slice(-1)], 50, 1)))
    expect(before.filter(({ id }) => !after.has(id)).length).toBeLessThan(3)
  })
})

describe("equivalent sites", () => {
  const [first] = sites
  if (first === undefined) throw new Error("There are no sites")
  const { file, operator, original, mutated } = first

  it("are left out", () => {
    const rest = withoutEquivalents(sites, [{ file, operator, original, mutated, reason: "a reason" }])
    expect(rest).toEqual(sites.slice(1))
  })

  it("must be sites", () => {
    const stale = { file, operator, original: "gone", mutated, reason: "a reason" }
    expect(() => withoutEquivalents(sites, [stale])).toThrow("gone")
  })
})

it("asks a small sample for less than 90 %, which it may miss by chance", () => {
  expect(leastShare(1_000)).toBe(0.9)
  expect(leastShare(60)).toBeCloseTo(0.784, 3)
})

it("lets none survive of one line, nor a single one", () => {
  expect(leastShare(5, true)).toBe(1)
  expect(leastShare(1)).toBe(1)
  expect(leastShare(2)).toBeCloseTo(0.264, 3)
})

it("takes the sites of a package, of a line or of an operator", () => {
  const all = [...sitesIn("large", 3), ...sitesIn("small", 3)]
  const chosen = (choice: Parameters<typeof choose>[1]) =>
    choose(all, choice).map(({ owner, line, operator }) => `${owner}:${line} ${operator}`)
  expect(new Set(chosen({ package: "small" }).map((site) => site.split(":")[0]))).toEqual(new Set(["small"]))
  expect(chosen({ site: "packages/large/src/a.ts:2", operator: "&& and ||" })).toEqual(["large:2 && and ||"])
  expect(chosen({ operator: "&& and ||" }).length).toBe(6)
})
