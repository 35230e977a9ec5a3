#!/usr/bin/env node
import { parseArgs } from "node:util"
import type { Connection } from "../Connection.ts"
import { migrate } from "../migrations/migrate.ts"
import { printMigrations } from "../migrations/printMigrations.ts"

const usage = `pixcharge-postgres migrate [--url <postgres url>] [--schema <name>]
pixcharge-postgres --print [--schema <name>] [--from <version>]

migrate  brings the schema up to this release; the database is --url or DATABASE_URL
--print  prints the migrations as SQL, for a tool of your own
`

interface PoolLike extends Connection {
  readonly end: () => Promise<void>
}

const loadPg = async () => {
  try {
    return (await import("pg")).default
  } catch {
    throw new Error("pixcharge-postgres migrate needs the package pg: npm install pg")
  }
}

const connect = async (url: string): Promise<PoolLike> => {
  const { Pool } = await loadPg()
  return new Pool({ connectionString: url, max: 1 })
}

const runMigrations = async (url: string | undefined, schema: { readonly schema?: string }): Promise<void> => {
  if (!url) throw new Error("no database is named: give --url or set DATABASE_URL")
  const pool = await connect(url)
  try {
    const done = await migrate(pool, schema)
    const steps = done.map(({ version, name }) => `${version}: ${name}`)
    console.log(steps.length === 0 ? "the schema is up to date" : `migrated\n${steps.join("\n")}`)
  } finally {
    await pool.end()
  }
}

const versionOf = (text: string | undefined): number => {
  const version = Number(text ?? 1)
  if (!Number.isInteger(version) || version < 1) throw new Error(`--from takes a version, not ${text}`)
  return version
}

const run = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string" },
      schema: { type: "string" },
      print: { type: "boolean" },
      from: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  })
  const schema = values.schema === undefined ? {} : { schema: values.schema }
  const [command] = positionals
  if (values.help) console.log(usage)
  else if (values.print) console.log(printMigrations({ ...schema, from: versionOf(values.from) }))
  else if (command === "migrate") await runMigrations(values.url ?? process.env["DATABASE_URL"], schema)
  else throw new Error(usage)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
