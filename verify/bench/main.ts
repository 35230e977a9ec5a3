import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Ratio } from "./compareRounds.ts"
import { startPostgres } from "./startPostgres.ts"
import { ratioTable, writeFigures, writeSection } from "./report.ts"
import { root } from "../world/root.ts"

const usualRounds = 11
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The number of rounds of `http`, of ten seconds each, and of `processes`, of six seconds each. */
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
  brcode: async () => (await import("./brcode.ts")).brcodeBench(),
  store: async (databases) => (await import("./store.ts")).storeBench(databases),
  deliveries: async (databases) => (await import("./deliveries.ts")).deliveriesBench(databases, rounds),
  many: async (databases) => (await import("./many.ts")).manyBench(databases),
  pages: async () => (await import("./pages/pagesBench.ts")).pagesBench(),
  http: async () => (await import("./http/httpBench.ts")).httpBench(postgres.database, rounds),
}

/** Benchmarks that are long or have no ratio. They run only by name and return Markdown. */
interface LongBench {
  readonly run: () => Promise<string>
  readonly page?: string
}

const longBenches: Readonly<Record<string, LongBench>> = {
  processes: {
    run: async () => (await import("./processes/processesBench.ts")).processesBench(postgres.database, rounds),
    page: "docs/internals/benchmarks.md",
  },
  growth: {
    run: async () => ratioTable(await (await import("./growth.ts")).growthBench()),
    page: "docs/internals/benchmarks.md",
  },
  life: { run: async () => (await import("./life.ts")).lifeBench(), page: "docs/internals/costs.md" },
  citus: { run: async () => (await import("./citus/citusBench.ts")).citusBench() },
}

const unknown = positionals.find((name) => !(name in benches) && !(name in longBenches))
if (unknown !== undefined) throw new Error(`there is no benchmark ${unknown}`)
const names = positionals.length > 0 ? positionals : Object.keys(benches)

const runLong = async (name: string, { run, page }: LongBench): Promise<void> => {
  const text = await run()
  console.log(text)
  if (page !== undefined && !isTrial) writeSection(join(root, page), name, text)
}

const postgres = await startPostgres()
try {
  const ratios: Array<Ratio> = []
  for (const name of names) {
    console.error(`measuring ${name}`)
    const long = longBenches[name]
    if (long === undefined) ratios.push(...((await benches[name]?.(postgres.nextDatabase)) ?? []))
    else await runLong(name, long)
  }
  if (ratios.length > 0) console.log(ratioTable(ratios))
  if (!isTrial && Object.keys(benches).every((name) => names.includes(name))) {
    writeSection(join(root, "docs/internals/benchmarks.md"), "bench", ratioTable(ratios))
    for (const readme of ["README.md", "README.pt-BR.md"]) writeFigures(join(root, readme), ratios)
  }
} finally {
  await postgres.stop()
}
