import { parseArgs } from "node:util"
import type { Ratio } from "./compareRounds.ts"
import { startPostgres } from "./startPostgres.ts"
import { ratioTable, writeFigures } from "./report.ts"
import { rewriteSection } from "../world/markdownTable.ts"

const usualRounds = 15
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of rounds of `http`, of six seconds each, and of `processes`; at most this many of `deliveries`. */
    rounds: { type: "string", default: String(usualRounds) },
  },
})

const rounds = Number(options.rounds)
// Refuses 0, because the page would get empty figures.
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds must be a whole number of 1 or more, but is ${options.rounds}`)

/** True for a shortened run. It only prints its figures. */
const isTrial = rounds < usualRounds || ["GROWTH", "LIFE"].some((name) => process.env[name] !== undefined)

type Databases = (name: string) => Promise<string>

// Each benchmark loads only when it runs, because some peers change the process that loads them.
const benches: Readonly<Record<string, (databases: Databases) => Promise<ReadonlyArray<Ratio>>>> = {
  http: async () => (await import("./http/httpBench.ts")).httpBench(postgres.database, rounds),
  deliveries: async (databases) => (await import("./deliveries.ts")).deliveriesBench(databases, rounds),
  day: async (databases) => (await import("./life.ts")).dayBench(databases),
  start: async () => (await import("./start.ts")).startBench(),
  brcode: async () => (await import("./brcode.ts")).brcodeBench(),
}

const page = "docs/internals/benchmarks.md"

/** Benchmarks that run only by name, and the page with their section. */
const longBenches: Readonly<
  Record<string, readonly [run: () => Promise<string | ReadonlyArray<Ratio>>, page?: string]>
> = {
  many: [async () => (await import("./many.ts")).manyBench(postgres.nextDatabase)],
  pages: [async () => (await import("./pages/pagesBench.ts")).pagesBench(), page],
  growth: [async () => (await import("./growth.ts")).growthBench(), page],
  processes: [
    async () => (await import("./processes/processesBench.ts")).processesBench(postgres.database, rounds),
    page,
  ],
  life: [async () => (await import("./life.ts")).lifeBench(), "docs/internals/costs.md"],
  citus: [async () => (await import("./citus/citusBench.ts")).citusBench()],
}

const unknown = positionals.find((name) => !(name in benches) && !(name in longBenches))
if (unknown !== undefined) throw new Error(`there is no benchmark ${unknown}`)
const names = positionals.length > 0 ? positionals : Object.keys(benches)

const runLong = async (name: string): Promise<void> => {
  const [run, to] = longBenches[name] as (typeof longBenches)[string]
  const made = await run()
  const text = typeof made === "string" ? made : ratioTable(made)
  console.log(text)
  if (to !== undefined && !isTrial) rewriteSection(to, name, () => text)
}

// Without whole pages the bytes of log don't depend on checkpoints.
const postgres = await startPostgres(["-c", "full_page_writes=off", "-c", "max_wal_size=4GB"])
try {
  const ratios: Array<Ratio> = []
  for (const name of names) {
    const began = performance.now()
    const bench = benches[name]
    if (bench === undefined) await runLong(name)
    else ratios.push(...(await bench(postgres.nextDatabase)))
    console.error(`${name} took ${Math.round((performance.now() - began) / 1_000)} s`)
  }
  if (ratios.length > 0) console.log(ratioTable(ratios))
  if (!isTrial && Object.keys(benches).every((name) => names.includes(name))) {
    rewriteSection(page, "bench", () => ratioTable(ratios))
    for (const readme of ["README.md", "README.pt-BR.md"]) writeFigures(readme, ratios)
  }
} finally {
  await postgres.stop()
}
