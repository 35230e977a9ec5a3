import { runInNewContext } from "node:vm"
import { PaymentProcessor } from "@pixcharge/core"
import { memoryStore } from "@pixcharge/store-memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { describeFailure, shrink, type Simulated, simulate, type SimulationOptions } from "../index.ts"
import unversionedStore from "./unversionedStore.ts"

const methods = ["register", "changes", "change", "lookup", "cancel", "refund", "lookupRefund", "payments"]

const silentProcessor = () => {
  const silent = Object.fromEntries(methods.map((method) => [method, () => Effect.never]))
  return Layer.succeed(PaymentProcessor, { ...silent, locality: "remote" } as unknown as PaymentProcessor["Service"])
}

const findFailure = async (seed = 1): Promise<number> =>
  (await simulate({ seed, store: unversionedStore })).violations.length > 0 ? seed : findFailure(seed + 1)

describe("simulate", () => {
  it.each([3, 77, 1_234_567])("replays seed %i exactly", async (seed) => {
    const [first, second] = [await simulate({ seed }), await simulate({ seed })]
    expect(second.history).toEqual(first.history)
    expect(second.traceHash).toBe(first.traceHash)
  })

  it("does something different for every seed", async () => {
    const hashes = new Set<string>()
    for (let seed = 1; seed <= 10; seed++) hashes.add((await simulate({ seed })).traceHash)
    expect(hashes.size).toBe(10)
  })

  it("runs the given number of hosts and steps", async () => {
    const { history, plan } = await simulate({ seed: 1, hosts: 4, steps: 11 })
    expect(plan).toHaveLength(11)
    expect(history.filter((line) => /host \d\.1: starts/.test(line))).toHaveLength(4)
  })

  it("has the operator replay the events that a receiver missed for days", async () => {
    const plan = [
      { afterMs: 1_000, host: 0, action: { do: "receiverDown", endpoint: 1, ms: 8 * 86_400_000 } },
      { afterMs: 1_000, host: 0, action: { do: "issue", charge: 6, amountCents: 1006 } },
      { afterMs: 5_000, host: 0, action: { do: "pay", charge: 6 } },
      { afterMs: 6 * 86_400_000, host: 0, action: { do: "resume", endpoint: 1 } },
    ] as const
    const { history, violations } = await simulate({ seed: 2, hosts: 1, plan })
    expect(history.some((line) => line.includes("gives up paid"))).toBe(true)
    expect(violations).toEqual([])
  })

  it.each<readonly [string, Effect.Effect<never, string>]>([
    ["fails", Effect.fail("no credentials")],
    ["dies", Effect.die("no credentials")],
  ])("finds a process that ends by itself, because its processor %s", async (_, start) => {
    const options = { seed: 1, processor: () => Layer.effectContext(start) }
    const failed = await simulate(options)
    expect(failed.violations[0]?.rule).toBe("noDefects")
    expect(failed.violations[0]?.what).toContain("no credentials")
    expect((await shrink(options, failed)).plan).toEqual([])
  })

  it.each<readonly [string, NonNullable<SimulationOptions["processor"]>]>([
    ["a process that never starts", () => Layer.effectContext(Effect.never)],
    ["a processor that never answers", silentProcessor],
  ])("finds %s", async (_, processor) => {
    const options = { seed: 1, plan: [], processor }
    const { violations } = await simulate(options)
    expect(violations.map(({ rule }) => rule)).toContain("nothingWaitsForEver")
  })

  it("shrinks to as many processes as a failure needs", async () => {
    let started = 0
    const counting = Effect.sync(() => {
      started = 0
      return memoryStore()
    })
    const processor = () =>
      Layer.unwrap(
        Effect.suspend(() => (++started < 2 ? Effect.succeed(silentProcessor()) : Effect.die("one too many"))),
      )
    const options = { seed: 1, hosts: 4, plan: [], store: Layer.unwrap(counting), processor }
    const failed = await simulate(options)
    expect(failed.violations[0]?.rule).toBe("noDefects")
    expect((await shrink(options, failed)).options.hosts).toBe(2)
  })

  it("finds, replays and shrinks a store that ignores versions", async () => {
    const seed = await findFailure(40)
    const options = { seed, store: unversionedStore }
    const failed = await simulate(options)
    const shrunk = await shrink(options, failed)
    expect(shrunk.plan.length).toBeLessThan(8)
    expect(shrunk.history.length).toBeLessThan(60)
    const description = describeFailure(seed, failed, shrunk)
    expect(description).toContain(`Seed ${seed} (trace ${failed.traceHash}) breaks`)
    const [call = ""] = /simulate\(\{\n[^]*?\n\}\)/.exec(description) ?? []
    const replayed = (await runInNewContext(call, { simulate, store: unversionedStore, Set })) as Simulated
    expect(replayed.traceHash).toBe(shrunk.traceHash)
    expect(replayed.violations).toEqual(shrunk.violations)
  })
})
