#!/usr/bin/env node
import { parseArgs } from "node:util"
import type { Connection } from "../Connection.ts"
import { maintenance } from "../maintenance.ts"
import { migrate, type SchemaOptions } from "../migrations/migrate.ts"
import { printMigrations } from "../migrations/printMigrations.ts"

const usage = `pixcharge-postgres migrate [--url <postgres url>] [--schema <name>]
pixcharge-postgres maintenance --days <number> [--url <postgres url>] [--schema <name>]
pixcharge-postgres --print [--schema <name>] [--from <version>]

migrate      brings the schema up to this release; the database is --url or DATABASE_URL
maintenance  archives charges and deletes deliveries that were settled so many days ago
--print      prints the migrations as SQL, for a tool of your own
`

interface PoolLike extends Connection {
  readonly end: () => Promise<void>
}

const loadPg = async () => {
  try {
    return (await import("pg")).default
  } catch {
    throw new Error("pixcharge-postgres needs the package pg: npm install pg")
  }
}

const connect = async (url: string): Promise<PoolLike> => {
  const { Pool } = await loadPg()
  return new Pool({ connectionString: url, max: 1 })
}

const onDatabase = async (url: string | undefined, work: (db: Connection) => Promise<string>): Promise<void> => {
  if (!url) throw new Error("no database is named: give --url or set DATABASE_URL")
  const pool = await connect(url)
  try {
    console.log(await work(pool))
  } finally {
    await pool.end()
  }
}

const migrated = async (db: Connection, schema: SchemaOptions): Promise<string> => {
  const steps = (await migrate(db, schema)).map(({ version, name }) => `${version}: ${name}`)
  return steps.length === 0 ? "the schema is up to date" : `migrated\n${steps.join("\n")}`
}

const dayMs = 86_400_000

const maintained = async (db: Connection, schema: SchemaOptions, days: string | undefined): Promise<string> => {
  const count = Number(days)
  if (days === undefined || !(count >= 1)) throw new Error(`--days takes a number of days from 1, not ${days}`)
  const done = await maintenance(db, { ...schema, settledBefore: Date.now() - count * dayMs })
  return `${done.archivedCharges} charges archived, ${done.purgedDeliveries} deliveries deleted`
}

const parseVersion = (text: string | undefined): number => {
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
      days: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  })
  const schema = values.schema === undefined ? {} : { schema: values.schema }
  const url = values.url ?? process.env["DATABASE_URL"]
  const [command] = positionals
  if (values.help) console.log(usage)
  else if (values.print) console.log(printMigrations({ ...schema, from: parseVersion(values.from) }))
  else if (command === "migrate") await onDatabase(url, (db) => migrated(db, schema))
  else if (command === "maintenance") await onDatabase(url, (db) => maintained(db, schema, values.days))
  else throw new Error(usage)
}

try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
