import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { promiseHooks } from "node:v8"
import type { Operation } from "./openShop.ts"

let fibers = 0

/** Beside a store: counts the fibers that start on it. */
export const fiberCounter = Layer.succeed(Metric.FiberRuntimeMetrics)({
  recordFiberStart: () => {
    fibers += 1
  },
  recordFiberEnd: () => undefined,
})

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const usedBytes = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** So many times each, until V8 has compiled what is used. */
const warmUps = 300
/** Measured in one go, so that what the measurement itself allocates is little beside it. */
const atOnce = 10
/** Of the rounds a few have garbage collected, or something else of this process: medians don't see them. */
const rounds = 15

/** Bytes that an operation allocates each time in this process, run over and over, one at a time. */
export const allocatedBytes = async ({ prepare, run }: Operation): Promise<number> => {
  for (let at = 0; at < warmUps; at++) await run(await prepare())
  const seen: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const ids: Array<string> = []
    for (let at = 0; at < atOnce; at++) ids.push(await prepare())
    const before = usedBytes()
    for (const id of ids) await run(id)
    seen.push((usedBytes() - before) / atOnce)
  }
  return median(seen)
}

/** Promises and fibers that an operation makes. */
export const asyncCosts = async (
  run: () => Promise<void>,
): Promise<{ readonly promises: number; readonly fibers: number }> => {
  const fibersBefore = fibers
  let promises = 0
  const stop = promiseHooks.onInit(() => {
    promises += 1
  })
  await run()
  stop()
  return { promises, fibers: fibers - fibersBefore }
}
