import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Ratio } from "./Ratio.ts"
import { startPostgres } from "./startPostgres.ts"
import { ratioTable, writeFigures, writeTable } from "./report.ts"

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Of `http`, each of which takes ten seconds, and of `processes`: six. */
    rounds: { type: "string", default: "11" },
  },
})

const rounds = Number(options.rounds)
// With none, or with no number, nothing would be measured, and that would be written down.
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds must be a whole number of 1 or more, and is ${options.rounds}`)

/** Starts a database of its own for those that ask. */
type Databases = (name: string) => Promise<string>

// Each is loaded only when it runs, because some peers change the process that loads them.
const benches: Readonly<Record<string, (databases: Databases) => Promise<ReadonlyArray<Ratio>>>> = {
  brcode: async () => (await import("./brcode.ts")).brcodeBench(),
  calendar: async () => (await import("./calendar.ts")).calendar(),
  documents: async () => (await import("./documents.ts")).documents(),
  store: async (databases) => (await import("./store.ts")).storeBench(databases),
  deliveries: async (databases) => (await import("./deliveries.ts")).deliveriesBench(databases),
  start: async () => (await import("./start.ts")).startBench(),
  pages: async () => (await import("./pages/pagesBench.ts")).pagesBench(),
  http: async () => (await import("./http/httpBench.ts")).httpBench(postgres.database, rounds),
}

/** These take long, and run only when they are named. */
const longBenches: typeof benches = {
  growth: async () => (await import("./growth.ts")).growthBench(),
  life: async () => (await import("./life.ts")).lifeBench(),
  processes: async () => (await import("./processes/processesBench.ts")).processesBench(postgres.database, rounds),
  churn: async () => (await import("./churn/churnBench.ts")).churnBench(),
  citus: async () => (await import("./citus/citusBench.ts")).citusBench(),
}

const unknown = positionals.find((name) => !(name in benches) && !(name in longBenches))
if (unknown !== undefined) throw new Error(`nothing is measured under the name ${unknown}`)
const names = positionals.length > 0 ? positionals : Object.keys(benches)

const postgres = await startPostgres()
try {
  const ratios: Array<Ratio> = []
  for (const name of names) {
    console.error(`measuring ${name}`)
    ratios.push(...((await (benches[name] ?? longBenches[name])?.(postgres.nextDatabase)) ?? []))
  }
  const table = ratioTable(ratios)
  console.log(table)
  if (names.length === Object.keys(benches).length) {
    const root = join(import.meta.dirname, "../../..")
    writeTable(join(root, "docs/benchmarks.md"), table)
    for (const readme of ["README.md", "README.pt-BR.md"]) writeFigures(join(root, readme), ratios)
  }
} finally {
  await postgres.stop()
}
