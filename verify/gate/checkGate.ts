/**
 * Proves that the gate can fail. It runs the gate's steps on planted faults, and the output must name every fault of a
 * run.
 */
import { availableParallelism } from "node:os"
import { refuse, tell } from "../world/commandLine.ts"
import { copyRuns } from "./faults/copyRuns.ts"
import { packageRuns } from "./faults/packageRuns.ts"
import { programRuns } from "./faults/programRuns.ts"
import { findFlaws } from "./faults/Run.ts"

const runs = [...packageRuns(), ...copyRuns(), ...programRuns()]
const waiting = runs.values()
const flaws: Array<string> = []
const work = async (): Promise<void> => {
  // All workers share one iterator, so each run is made once.
  for (const run of waiting) flaws.push(...(await findFlaws(run)))
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
if (flaws.length > 0) refuse(flaws.join("\n"))
tell(`The gate can fail: ${runs.length} runs on planted faults gave the expected result`)
