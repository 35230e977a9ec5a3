/**
 * Runs seeds of the simulated world. After the first seed that breaks a rule, shrinks its run and exits with 1. `pnpm
 * simulate --help` lists the options.
 */
import { inspect } from "node:util"
import { importStore, tell } from "../world/commandLine.ts"
import { type Answer, runSeeds } from "./runSeeds.ts"
import { areRecurrences, asksForHelp, from, help, hosts, isHistory, seeds, steps, storeFile } from "./seedOptions.ts"

type Run = (seed: number) => Promise<string | undefined>

const findFailure: (seed: number, run: Run) => Promise<string | undefined> = (seed, run) =>
  run(seed).catch((cause: unknown) => `Seed ${seed} ends with an error: ${inspect(cause)}`)

const inMemory: Run = async (seed) => {
  const { describeFailure, shrink, simulate } = await import("./index.ts")
  const options = { seed, hosts, steps, ...(await importStore(storeFile)) }
  const simulated = await simulate(options)
  if (simulated.violations.length === 0) return undefined
  return describeFailure(seed, simulated, await shrink(options, simulated))
}

const ofRecurrences: Run = async (seed) => {
  const { simulateRecurrences } = await import("./index.ts")
  const { violations, traceHash } = await simulateRecurrences({ seed })
  if (violations.length === 0) return undefined
  return [
    `Seed ${seed} (trace ${traceHash}) of recurrences:`,
    ...violations.map((one) => `${one.rule}: ${one.what}`),
  ].join("\n")
}

const run = areRecurrences ? ofRecurrences : inMemory

/** Runs the main process's seeds in sequence. Stops answering once the main process has ended. */
const work = (send: (answer: Answer, then: () => void) => void): void =>
  void process.on("message", async (seed: number) => {
    send({ failure: await findFailure(seed, run) }, () => undefined)
  })

const showHistory = async (): Promise<void> => {
  const { simulate, simulateRecurrences } = await import("./index.ts")
  const simulated = areRecurrences
    ? await simulateRecurrences({ seed: from })
    : await simulate({ seed: from, hosts, steps, ...(await importStore(storeFile)) })
  tell([...simulated.history, `trace ${simulated.traceHash}`].join("\n"))
  if (simulated.violations.length > 0) process.exitCode = 1
}

if (asksForHelp) tell(help)
else if (process.send !== undefined) work(process.send.bind(process) as (answer: Answer, then: () => void) => void)
else if (isHistory) await showHistory()
else runSeeds(import.meta.filename, from, seeds)
