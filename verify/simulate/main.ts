/**
 * Runs seeds of the simulated world. After the first seed that breaks a rule, shrinks its run and exits with 1. `pnpm
 * simulate --help` lists the options.
 */
import { inspect } from "node:util"
import { importStore, refuse, tell } from "../world/commandLine.ts"
import { type Answer, runSeeds } from "./runSeeds.ts"
import type { Census } from "./census/Census.ts"
import { type Chosen, findLostReach, freshOf, readChosen, readCommit, writeChosen } from "./census/chosenSeeds.ts"
import {
  areChosen,
  areRecurrences,
  asksForHelp,
  choice,
  from,
  help,
  hosts,
  isHistory,
  isUsual,
  seeds,
  showsCensus,
  steps,
  storeFile,
} from "./seedOptions.ts"

type Run = (seed: number) => Promise<Answer>

const findFailure: Run = (seed) =>
  run(seed).catch((cause: unknown) => ({ failure: `Seed ${seed} ends with an error: ${inspect(cause)}`, states: [] }))

const inMemory: Run = async (seed) => {
  const { describeFailure, shrink, simulate } = await import("./index.ts")
  const options = { seed, hosts, steps, ...(await importStore(storeFile)) }
  const simulated = await simulate(options)
  const states = [...simulated.states]
  if (simulated.violations.length === 0) return { failure: undefined, states }
  return { failure: describeFailure(seed, simulated, await shrink(options, simulated)), states }
}

const ofRecurrences: Run = async (seed) => {
  const { simulateRecurrences } = await import("./index.ts")
  const { violations, traceHash } = await simulateRecurrences({ seed })
  if (violations.length === 0) return { failure: undefined, states: [] }
  const broken = violations.map((one) => `${one.rule}: ${one.what}`)
  return { failure: [`Seed ${seed} (trace ${traceHash}) of recurrences:`, ...broken].join("\n"), states: [] }
}

const run = areRecurrences ? ofRecurrences : inMemory

/** Runs the main process's seeds in sequence. Stops answering once the main process has ended. */
const work = (send: (answer: Answer, then: () => void) => void): void =>
  void process.on("message", async (seed: number) => {
    send(await findFailure(seed), () => undefined)
  })

const showHistory = async (): Promise<void> => {
  const { simulate, simulateRecurrences } = await import("./index.ts")
  const simulated = areRecurrences
    ? await simulateRecurrences({ seed: from })
    : await simulate({ seed: from, hosts, steps, ...(await importStore(storeFile)) })
  tell([...simulated.history, `trace ${simulated.traceHash}`].join("\n"))
  if (simulated.violations.length > 0) process.exitCode = 1
}

const endRun = (census: Census, chosen?: Chosen): void => {
  if (showsCensus) tell(census.lines().join("\n"))
  const rarer = isUsual ? census.findRarer() : []
  if (rarer.length > 0) refuse(rarer.join("\n"))
  const lost = chosen && findLostReach(census, chosen)
  if (lost !== undefined) refuse(lost)
  if (choice === undefined) return
  const { reach, seeds: written } = writeChosen(census, choice)
  tell(`${written.length} seeds reach ${reach} of the ${census.lines().length} states`)
}

const runChosen = (): void => {
  const chosen = readChosen()
  runSeeds(import.meta.filename, [...chosen.seeds, ...freshOf(readCommit())], (census) => endRun(census, chosen))
}

if (asksForHelp) tell(help)
else if (process.send !== undefined) work(process.send.bind(process) as (answer: Answer, then: () => void) => void)
else if (isHistory) await showHistory()
else if (areChosen) runChosen()
else
  runSeeds(
    import.meta.filename,
    Array.from({ length: seeds }, (_, n) => from + n),
    (census) => endRun(census),
  )
