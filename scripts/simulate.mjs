/**
 * Runs seeds of the simulated world, and ends with 1 after the first that breaks a rule, which it shrinks for a person to
 * read. `pnpm simulate --help` lists the options.
 */
import { fork } from "node:child_process"
import { availableParallelism } from "node:os"
import { pathToFileURL } from "node:url"
import { inspect, parseArgs } from "node:util"

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
const fallback = values.postgres ? { seeds: "20", steps: "30" } : { seeds: "3000", steps: "24" }

const refuse = (why) => {
  console.error(why)
  process.exit(1)
}

/** The value of an option that counts. With any other than a whole number nothing would run, and all would seem to hold. */
const count = (option) => {
  const text = { ...fallback, ...values }[option]
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  return refuse(`--${option} must be a whole number of 1 or more, and is ${text}`)
}
const [seeds, from, hosts, steps] = ["seeds", "from", "hosts", "steps"].map(count)
/** Seeds are of 32 bits. */
const lastSeed = 2 ** 32 - 1
if (from + seeds - 1 > lastSeed) refuse(`the last seed is ${lastSeed}: others would repeat the runs of those before`)
for (const option of ["store", "history"])
  if (values.postgres && values[option]) refuse(`--${option} doesn't go with --postgres`)

/** Loaded by the processes that run seeds alone. */
const load = () => import("@pixcharge/testkit/simulation")

const seedOptions = async (seed) => {
  const options = { seed, hosts, steps }
  if (values.store === undefined) return options
  const { default: store } = await import(pathToFileURL(values.store).href)
  if (store === undefined) throw new Error(`${values.store} has no default export`)
  return { ...options, store }
}

/** Runs one seed; answers with what a person needs to know if it breaks a rule. */
const failureInMemory = async (seed) => {
  const { describeFailure, shrink, simulate } = await load()
  const options = await seedOptions(seed)
  const simulated = await simulate(options)
  if (simulated.violations.length === 0) return undefined
  return describeFailure(seed, simulated, await shrink(options, simulated))
}

/** What a seed fails by: a rule that it breaks, or an error that ends its run. */
const failureOf = (seed, run) => run(seed).catch((cause) => `Seed ${seed} ends by an error: ${inspect(cause)}`)

/** Takes seeds from the main process, one after the other; one that has ended meanwhile needs no answer. */
const work = () =>
  process.on("message", async (seed) => {
    process.send({ failure: await failureOf(seed, failureInMemory) }, () => undefined)
  })

const toldEvery = 1_000

const runAll = () => {
  const startedAt = performance.now()
  let next = from
  let done = 0
  const startWorker = () => {
    const worker = fork(import.meta.filename, process.argv.slice(2))
    let seed
    const give = () => {
      if (next >= from + seeds) return worker.disconnect()
      seed = next++
      worker.send(seed)
    }
    worker.on("message", ({ failure }) => {
      if (failure !== undefined) {
        console.error(failure)
        process.exit(1)
      }
      done += 1
      if (done % toldEvery === 0 || done === seeds) {
        const eachMs = (performance.now() - startedAt) / done
        console.log(`${done} seeds from ${from} on hold, ${eachMs.toFixed(1)} ms each`)
      }
      give()
    })
    worker.on("exit", (code, signal) => {
      if (code === 0) return
      console.error(`The worker that ran seed ${seed} ended with ${code ?? signal}`)
      process.exit(1)
    })
    give()
  }
  for (let n = 0; n < availableParallelism(); n++) startWorker()
  process.once("beforeExit", () => {
    if (done === seeds) return
    console.error(`Only ${done} of ${seeds} seeds have run`)
    process.exit(1)
  })
}

const runOnPostgres = async () => {
  const { describeHistory, Laboratory, simulatePostgres } = await import(
    new URL("../simulation/postgres/dist/index.js", import.meta.url).href
  )
  const laboratory = await Laboratory.open()
  const failureOnPostgres = async (seed) => {
    const simulated = await simulatePostgres({ seed, hosts, steps, laboratory })
    return simulated.violations.length > 0 ? describeHistory(seed, simulated) : undefined
  }
  try {
    for (let seed = from; seed < from + seeds; seed++) {
      const failure = await failureOf(seed, failureOnPostgres)
      if (failure !== undefined) {
        console.error(failure)
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
  const { simulate } = await load()
  const { history, traceHash, violations } = await simulate(await seedOptions(from))
  console.log([...history, `trace ${traceHash}`].join("\n"))
  if (violations.length > 0) process.exitCode = 1
}

if (process.send !== undefined) work()
else if (values.help) console.log(help)
else if (values.postgres) await runOnPostgres()
else if (values.history) await showHistory()
else runAll()
