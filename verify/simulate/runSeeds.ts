import { fork } from "node:child_process"
import { availableParallelism } from "node:os"
import { refuse, tell } from "../world/commandLine.ts"

const reportEvery = 1_000
/** A worker needs seconds of processor time to become fast. For fewer seeds another worker costs more than it saves. */
const seedsPerWorker = 200

export interface Answer {
  readonly failure: string | undefined
}

/** Starts this program at most once per core. The workers take the seeds in sequence. The first failure ends all. */
export const runSeeds = (program: string, from: number, seeds: number): void => {
  const startedAt = performance.now()
  let next = from
  let done = 0
  const startWorker = (): void => {
    const worker = fork(program, process.argv.slice(2))
    let seed = next
    const give = (): void => {
      if (next >= from + seeds) return worker.disconnect()
      seed = next++
      worker.send(seed)
    }
    worker.on("message", ({ failure }: Answer) => {
      if (failure !== undefined) refuse(failure)
      done += 1
      if (done % reportEvery === 0 || done === seeds) {
        const eachMs = (performance.now() - startedAt) / done
        tell(`${done} seeds from ${from} on pass, ${eachMs.toFixed(1)} ms each`)
      }
      give()
    })
    worker.on("exit", (code, signal) => {
      if (code !== 0) refuse(`The worker that ran seed ${seed} ended with ${code ?? signal}`)
    })
    give()
  }
  const workers = Math.min(availableParallelism(), Math.ceil(seeds / seedsPerWorker))
  for (let n = 0; n < workers; n++) startWorker()
  process.once("beforeExit", () => {
    if (done < seeds) refuse(`Only ${done} of ${seeds} seeds have run`)
  })
}
