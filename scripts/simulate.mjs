/**
 * Runs seeds of the simulated world, and ends with 1 after the first that breaks a rule, which it shrinks for a person to
 * read. `pnpm simulate --help` lists the options.
 */
import { fork } from "node:child_process"
import { availableParallelism } from "node:os"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { describeFailure, shrink, simulate } from "@pixcharge/testkit/simulation"

const help = `pnpm simulate [options]
  --seeds N     how many seeds (3000)
  --from S      the first of them (1)
  --hosts N     processes at once (2)
  --steps N     how much is done in each run (24)
  --store FILE  a module whose default export is the Layer of a store, in place of the memory store
  --postgres    on a real Postgres, in real time and one history after the other (steps: 30, seeds: 20)
  --history     one seed alone, with all that happens in it`

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    hosts: { type: "string", default: "2" },
    steps: { type: "string" },
    store: { type: "string" },
    postgres: { type: "boolean", default: false },
    history: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
})
const fallback = values.postgres ? { seeds: 20, steps: 30 } : { seeds: 3_000, steps: 24 }
const { seeds, from, hosts, steps } = Object.fromEntries(
  Object.entries({ ...fallback, ...values }).map(([name, value]) => [name, Number(value)]),
)

const seedOptions = async (seed) => {
  const options = { seed, hosts, steps }
  if (values.store === undefined) return options
  const { default: store } = await import(pathToFileURL(values.store).href)
  return { ...options, store }
}

/** Runs one seed; answers with what a person needs to know if it breaks a rule. */
const failureOf = async (seed) => {
  const options = await seedOptions(seed)
  const simulated = await simulate(options)
  if (simulated.violations.length === 0) return undefined
  return describeFailure(seed, simulated, await shrink(options, simulated))
}

/** Takes seeds from the main process, one after the other. */
const work = () => process.on("message", async (seed) => process.send({ failure: await failureOf(seed) }))

const toldEvery = 1_000

const runAll = () => {
  const startedAt = performance.now()
  let next = from
  let done = 0
  const give = (worker) => {
    if (next < from + seeds) worker.send(next++)
    else worker.disconnect()
  }
  const take = (worker, failure) => {
    if (failure !== undefined) {
      console.error(failure)
      process.exit(1)
    }
    done += 1
    if (done % toldEvery === 0 || done === seeds) {
      const eachMs = (performance.now() - startedAt) / done
      console.log(`${done} seeds from ${from} on hold, ${eachMs.toFixed(1)} ms each`)
    }
    give(worker)
  }
  for (let n = 0; n < availableParallelism(); n++) {
    const worker = fork(import.meta.filename, process.argv.slice(2))
    worker.on("message", ({ failure }) => take(worker, failure))
    worker.on("exit", (code, signal) => {
      if (code === 0) return
      console.error(`A worker ended with ${code ?? signal}`)
      process.exit(1)
    })
    give(worker)
  }
}

const runOnPostgres = async () => {
  const { describeHistory, Laboratory, simulatePostgres } = await import(
    new URL("../simulation/postgres/dist/index.js", import.meta.url).href
  )
  const laboratory = await Laboratory.open()
  try {
    for (let seed = from; seed < from + seeds; seed++) {
      const simulated = await simulatePostgres({ seed, hosts, steps, laboratory })
      if (simulated.violations.length > 0) {
        console.error(describeHistory(seed, simulated))
        process.exitCode = 1
        return
      }
      console.log(`seed ${seed} holds on Postgres`)
    }
  } finally {
    await laboratory.close()
  }
}

const showHistory = async () => {
  const { history, traceHash, violations } = await simulate(await seedOptions(from))
  console.log([...history, `trace ${traceHash}`].join("\n"))
  if (violations.length > 0) process.exitCode = 1
}

if (process.send !== undefined) work()
else if (values.help) console.log(help)
else if (values.postgres) await runOnPostgres()
else if (values.history) await showHistory()
else runAll()
