import { fork } from "node:child_process"
import { availableParallelism } from "node:os"
import { refuse, tell } from "../world/commandLine.ts"
import { Census } from "./census/Census.ts"

const reportEvery = 1_000
/** A worker needs seconds of processor time to become fast. For fewer seeds another worker costs more than it saves. */
const seedsPerWorker = 200

export interface Answer {
  readonly failure: string | undefined
  readonly states: ReadonlyArray<string>
}

/**
 * Starts this program at most once per core. The workers take the seeds in sequence. The first failure ends all. Calls
 * `onEnd` once all seeds have passed.
 */
export const runSeeds = (program: string, seeds: ReadonlyArray<number>, onEnd: (census: Census) => void): void => {
  const startedAt = performance.now()
  const census = new Census()
  const left = seeds.values()
  let done = 0
  const startWorker = (): void => {
    const worker = fork(program, process.argv.slice(2))
    let seed: number | undefined
    const give = (): void => {
      seed = left.next().value
      if (seed === undefined) return worker.disconnect()
      worker.send(seed)
    }
    worker.on("message", ({ failure, states }: Answer) => {
      if (failure !== undefined) refuse(failure)
      census.add(seed ?? 0, states)
      done += 1
      if (done % reportEvery === 0 || done === seeds.length) {
        const eachMs = (performance.now() - startedAt) / done
        tell(`${done} seeds from ${seeds[0]} on pass, ${eachMs.toFixed(1)} ms each`)
      }
      give()
    })
    worker.on("exit", (code, signal) => {
      if (code !== 0) refuse(`The worker that ran seed ${seed} ended with ${code ?? signal}`)
    })
    give()
  }
  const workers = Math.min(availableParallelism(), Math.ceil(seeds.length / seedsPerWorker))
  for (let n = 0; n < workers; n++) startWorker()
  process.once("beforeExit", () => {
    if (done < seeds.length) refuse(`Only ${done} of ${seeds.length} seeds have run`)
    onEnd(census)
  })
}
