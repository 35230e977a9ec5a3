/**
 * Sends seeded requests, by the contract and as raw bytes, to pixcharge behind each binding, and ends with 1 after the first
 * that shows something wrong. `pnpm fuzz --help` lists the options.
 */
import { fork } from "node:child_process"
import { pathToFileURL } from "node:url"
import { inspect, parseArgs } from "node:util"

const help = `pnpm fuzz [options]
  --count N     how many requests (10000)
  --seed S      what they follow from (1)
  --from N      the number of the first of them (1)
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

/** The value of an option that counts. With any other than a whole number nothing would be sent, and all would seem well. */
const count = (option) => {
  const text = values[option]
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  console.error(`--${option} must be a whole number of 1 or more, and is ${text}`)
  process.exit(1)
}
const options = { count: count("count"), seed: count("seed"), from: count("from") }

/** No batch of requests takes so long, unless one of them keeps the event loop. */
const stuckMs = 120_000

const storeOption = async () => {
  if (values.store === undefined) return {}
  const { default: store } = await import(pathToFileURL(values.store).href)
  if (store === undefined) throw new Error(`${values.store} has no default export`)
  return { store }
}

const { batchSize, describeFinding, fuzz } = await import(new URL("../fuzz/dist/index.js", import.meta.url).href)

/** Sends the requests, and tells the main process where it is, for it may get stuck. */
const work = async () => {
  const told = { onBegin: (begun) => process.send({ begun }) }
  const ended = await storeOption()
    .then((store) => fuzz({ ...options, ...store, ...told }))
    .then((finding) => ({ finding }))
    .catch((error) => ({ error: inspect(error) }))
  process.send({ ended }, () => process.disconnect())
}

const fail = (text) => {
  console.error(text)
  process.exit(1)
}

const watch = () => {
  console.log(`Seed ${options.seed}, requests ${options.from} to ${options.from + options.count - 1}`)
  const worker = fork(import.meta.filename, process.argv.slice(2))
  let begun = options.from
  let isDone = false
  const stuck = setTimeout(() => {
    worker.kill("SIGKILL")
    const finding = { says: "the event loop is kept", from: begun, count: batchSize }
    fail(describeFinding(options.seed, finding))
  }, stuckMs)
  worker.on("message", (message) => {
    stuck.refresh()
    if (message.begun !== undefined) return void (begun = message.begun)
    const { error, finding } = message.ended
    if (error !== undefined) fail(`The run ends by an error: ${error}`)
    if (finding !== undefined) fail(describeFinding(options.seed, finding))
    isDone = true
    console.log(`${options.count} requests were answered as they must be`)
  })
  worker.on("exit", (code, signal) => {
    clearTimeout(stuck)
    if (!isDone) fail(`The worker ended with ${code ?? signal} at request ${begun}`)
  })
}

if (process.send !== undefined) await work()
else if (values.help) console.log(help)
else watch()
