import { Buffer } from "node:buffer"
import { GCProfiler, setFlagsFromString } from "node:v8"
import { quantile } from "../../world/quantile.ts"
import type { Operation } from "./openShop.ts"

// Optimised code skips needless allocations, and when V8 optimises depends on the machine's load.
setFlagsFromString("--no-opt")
setFlagsFromString("--no-maglev")
// A garbage collection in an idle process can change the layout of later objects, and its time depends on the machine's
// load.
setFlagsFromString("--no-memory-reducer")
// Without a pool each buffer counts when it is made.
Buffer.poolSize = 0

const usedBytes = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Warm-up runs fill caches and make lazy values. */
const warmUps = 30
/** The number of runs in a round. It is small, so most rounds run without a garbage collection. */
const atOnce = 2
/** Measured rounds. Other code allocates in some and frees in a few: the third least counts. */
const rounds = 9
const maxRounds = 200

/** The bytes that one unoptimised run of the operation allocates. */
export const allocatedBytes = async ({ prepare, run }: Operation): Promise<number> => {
  for (let index = 0; index < warmUps; index++) await run(await prepare())
  const seen: Array<number> = []
  for (let round = 0; round < maxRounds && seen.length < rounds; round++) {
    const ids: Array<string> = []
    for (let index = 0; index < atOnce; index++) ids.push(await prepare())
    const collections = new GCProfiler()
    collections.start()
    const before = usedBytes()
    for (const id of ids) await run(id)
    const allocated = (usedBytes() - before) / atOnce
    if (collections.stop().statistics.length === 0) seen.push(allocated)
  }
  if (seen.length < rounds) throw new Error("Garbage was collected in nearly every round: make fewer runs in a round")
  return quantile(seen, 0.25)
}
