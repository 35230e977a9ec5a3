import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { promiseHooks } from "node:v8"

let fibers = 0

export const fiberCounter = Layer.succeed(Metric.FiberRuntimeMetrics)({
  recordFiberStart: () => {
    fibers += 1
  },
  recordFiberEnd: () => undefined,
})

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
