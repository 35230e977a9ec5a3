import { join } from "node:path"
import type { Ratio } from "./Ratio.ts"
import { startPostgres } from "./startPostgres.ts"
import { tableOf, writeInto } from "./report.ts"

/** Starts a database of its own for those that ask. */
type Databases = (name: string) => Promise<string>

// Each is loaded only when it runs, so that peers which change the process stay out of the others' way.
const benches: Readonly<Record<string, (databases: Databases) => Promise<ReadonlyArray<Ratio>>>> = {
  brcode: async () => (await import("./brcode.ts")).brcodeBench(),
  calendar: async () => (await import("./calendar.ts")).calendar(),
  documents: async () => (await import("./documents.ts")).documents(),
  start: async () => (await import("./start.ts")).startBench(),
  http: async (databases) => (await import("./http/httpBench.ts")).httpBench(databases),
}

const wanted = process.argv.slice(2).filter((name) => name in benches)
const names = wanted.length > 0 ? wanted : Object.keys(benches)

const postgres = await startPostgres()
try {
  const ratios: Array<Ratio> = []
  for (const name of names) {
    console.error(`measuring ${name}`)
    ratios.push(...((await benches[name]?.(postgres.database)) ?? []))
  }
  const table = tableOf(ratios)
  console.log(table)
  if (names.length === Object.keys(benches).length) writeInto(join(import.meta.dirname, "../../../README.md"), table)
} finally {
  await postgres.stop()
}
