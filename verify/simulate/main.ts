/**
 * Runs seeds of the simulated world. After the first seed that breaks a rule, shrinks its run and exits with 1. `pnpm
 * simulate --help` lists the options.
 */
import { inspect, parseArgs } from "node:util"
import { importStore, refuse, tell, wholeNumber } from "../world/commandLine.ts"
import { type Answer, runSeeds } from "./runSeeds.ts"
import {
  type Census,
  type Chosen,
  findLostReach,
  freshOf,
  readChosen,
  readCommit,
  writeChosen,
} from "./census/Census.ts"

const help = `pnpm simulate [options]
  --seeds N     how many seeds (3000)
  --from S      the first of them (1)
  --hosts N     processes at once (2)
  --steps N     how much is done in each run (24)
  --store FILE  a module whose default export is the Layer of a store, in place of the memory store
  --recurrences months of recurrences, in a world of their own
  --census      how many runs in a thousand reach each state
  --choose N    write the list of N seeds that reach the most states
  --chosen      the seeds of that list, and ten more by the commit's hash
  --history     one seed alone, with all that happens in it`

const text = (usual: string) => ({ type: "string", default: usual }) as const
const flag = { type: "boolean", default: false } as const
const { values } = parseArgs({
  options: {
    seeds: text("3000"),
    from: text("1"),
    hosts: text("2"),
    steps: text("24"),
    store: { type: "string" },
    recurrences: flag,
    census: flag,
    choose: { type: "string" },
    chosen: flag,
    history: flag,
    help: flag,
  },
})

const choice = values.choose === undefined ? undefined : wholeNumber("choose", values.choose)
const [seeds, from, hosts, steps] = (["seeds", "from", "hosts", "steps"] as const).map((option) =>
  wholeNumber(option, values[option]),
) as [number, number, number, number]

/** Rates are noted for runs of this kind only. */
const isUsual = values.store === undefined && hosts === 2 && steps === 24 && !values.recurrences

/** Seeds have 32 bits. */
const lastSeed = 2 ** 32 - 1
if (from + seeds - 1 > lastSeed) refuse(`the last seed is ${lastSeed}: higher seeds repeat earlier runs`)

const inMemory = async (seed: number): Promise<Answer> => {
  const { describeFailure, shrink, simulate } = await import("./index.ts")
  const options = { seed, hosts, steps, ...(await importStore(values.store)) }
  const simulated = await simulate(options)
  const states = [...simulated.states]
  if (simulated.violations.length === 0) return { failure: undefined, states }
  return { failure: describeFailure(seed, simulated, await shrink(options, simulated)), states }
}

const ofRecurrences = async (seed: number): Promise<Answer> => {
  const { simulateRecurrences } = await import("./index.ts")
  const { violations, traceHash } = await simulateRecurrences({ seed })
  if (violations.length === 0) return { failure: undefined, states: [] }
  const broken = violations.map((one) => `${one.rule}: ${one.what}`)
  return { failure: [`Seed ${seed} (trace ${traceHash}) of recurrences:`, ...broken].join("\n"), states: [] }
}

const run = values.recurrences ? ofRecurrences : inMemory

/** Runs the main process's seeds in sequence. Stops answering once the main process has ended. */
const work = (send: (answer: Answer, then: () => void) => void): void =>
  void process.on("message", async (seed: number) => {
    const fail = (cause: unknown) => ({ failure: `Seed ${seed} ends with an error: ${inspect(cause)}`, states: [] })
    send(await run(seed).catch(fail), () => undefined)
  })

const showHistory = async (): Promise<void> => {
  const { simulate, simulateRecurrences } = await import("./index.ts")
  const { history, traceHash, violations } = values.recurrences
    ? await simulateRecurrences({ seed: from })
    : await simulate({ seed: from, hosts, steps, ...(await importStore(values.store)) })
  tell([...history, `trace ${traceHash}`].join("\n"))
  if (violations.length > 0) process.exitCode = 1
}

const endRun = (census: Census, chosen?: Chosen): void => {
  if (values.census) tell(census.lines().join("\n"))
  const rarer = isUsual ? census.findRarer() : []
  if (rarer.length > 0) refuse(rarer.join("\n"))
  const lost = chosen && findLostReach(census, chosen)
  if (lost !== undefined) refuse(lost)
  if (choice === undefined) return
  const { reach, seeds: written } = writeChosen(census, choice)
  tell(`${written.length} seeds reach ${reach} of the ${census.lines().length} states`)
}

const start = (): void => {
  const chosen = values.chosen ? readChosen() : undefined
  const all = chosen ? [...chosen.seeds, ...freshOf(readCommit())] : Array.from({ length: seeds }, (_, n) => from + n)
  runSeeds(import.meta.filename, all, (census) => endRun(census, chosen))
}

if (values.help) tell(help)
else if (process.send !== undefined) work(process.send.bind(process) as (answer: Answer, then: () => void) => void)
else if (values.history) await showHistory()
else start()
