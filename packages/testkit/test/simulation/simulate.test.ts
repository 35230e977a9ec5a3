import { describeFailure, shrink, simulate } from "@pixcharge/testkit/simulation"
import { describe, expect, it } from "vitest"
import heedlessStore from "./heedlessStore.mjs"

const findFailure = async (seed = 1): Promise<number> =>
  (await simulate({ seed, store: heedlessStore })).violations.length > 0 ? seed : findFailure(seed + 1)

describe("simulate", () => {
  it.each([3, 77, 1_234_567])("replays seed %i exactly", async (seed) => {
    const [first, second] = [await simulate({ seed }), await simulate({ seed })]
    expect(second.history).toEqual(first.history)
    expect(second.traceHash).toBe(first.traceHash)
  })

  it("does something else for every seed", async () => {
    const hashes = new Set<string>()
    for (let seed = 1; seed <= 20; seed++) hashes.add((await simulate({ seed })).traceHash)
    expect(hashes.size).toBe(20)
  })

  it("runs as many hosts and steps as it is told", async () => {
    const { history, plan } = await simulate({ seed: 5, hosts: 4, steps: 11 })
    expect(plan).toHaveLength(11)
    expect(history.filter((line) => /host \d\.1: starts/.test(line))).toHaveLength(4)
  })

  it("finds a store that ignores versions, replays that, and shrinks it to what a person can read", async () => {
    const seed = await findFailure()
    const options = { seed, store: heedlessStore }
    const failed = await simulate(options)
    const shrunk = await shrink(options, failed)
    expect(shrunk.plan.length).toBeLessThan(8)
    expect(shrunk.history.length).toBeLessThan(60)
    const replayed = await simulate(shrunk.options)
    expect(replayed.traceHash).toBe(shrunk.traceHash)
    expect(replayed.violations).toEqual(shrunk.violations)
    expect(describeFailure(seed, failed, shrunk)).toContain(`Seed ${seed} (trace ${failed.traceHash}) breaks`)
  }, 120_000)
})
