/**
 * Sends seeded requests, by the contract and as raw bytes, to pixcharge behind each binding. Exits with 1 at the first
 * finding. `pnpm fuzz --help` lists the options.
 */
import { fork } from "node:child_process"
import { inspect, parseArgs } from "node:util"
import { importStore, refuse, tell, wholeNumber } from "../world/commandLine.ts"

const help = `pnpm fuzz [options]
  --count N     how many requests (10000)
  --seed S      seed of the requests (1)
  --from N      number of the first request (1)
  --store FILE  a module whose default export is the Layer of a store, in place of the memory store`

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
    store: { type: "string" },
    help: { type: "boolean", default: false },
  },
})

const [count, seed, from] = (["count", "seed", "from"] as const).map((option) =>
  wholeNumber(option, values[option]),
) as [number, number, number]

/** A batch that takes longer than this has a request that blocks the event loop. */
const stuckMs = 120_000

type Report = { readonly begun: number } | { readonly failure: string | undefined }

/** Sends the requests and reports its progress to the main process, in case it gets stuck. */
const work = async (send: (report: Report, then?: () => void) => void): Promise<void> => {
  const { describeFinding, fuzz } = await import("./index.ts")
  const failure = await importStore(values.store)
    .then((store) => fuzz({ count, seed, from, ...store, onBegin: (begun) => send({ begun }) }))
    .then((finding) => finding && describeFinding(seed, finding))
    .catch((error: unknown) => `The run ends with an error: ${inspect(error)}`)
  send({ failure }, () => process.disconnect())
}

const watch = (): void => {
  tell(`Seed ${seed}, requests ${from} to ${from + count - 1}`)
  const worker = fork(import.meta.filename, process.argv.slice(2))
  let begun = from
  let isDone = false
  const stuck = setTimeout(() => {
    worker.kill("SIGKILL")
    refuse(`Seed ${seed}: one of the requests from ${begun} on blocks the event loop`)
  }, stuckMs)
  worker.on("message", (report: Report) => {
    stuck.refresh()
    if ("begun" in report) begun = report.begun
    else if (report.failure !== undefined) refuse(report.failure)
    else isDone = true
  })
  worker.on("exit", (code, signal) => {
    clearTimeout(stuck)
    if (!isDone) refuse(`The worker ended with ${code ?? signal} at request ${begun}`)
    tell(`${count} requests got correct answers`)
  })
}

if (values.help) tell(help)
else if (process.send !== undefined)
  await work(process.send.bind(process) as (report: Report, then?: () => void) => void)
else watch()
