import { parseArgs } from "node:util"
import type { Connection } from "../sql/Connection.ts"
import { changeKey, isKeyAction } from "./changeKey.ts"
import { maintenance } from "./maintenance.ts"
import { migrate, type SchemaOptions } from "../schema/migrate.ts"
import { printMigrations } from "../schema/migrations.ts"

const usage = `pixcharge-postgres migrate [--url <postgres url>] [--schema <name>]
pixcharge-postgres maintenance --days <number> [--url <postgres url>] [--schema <name>]
pixcharge-postgres keys make|rotate|revoke <cnpj> [--url <postgres url>] [--schema <name>]
pixcharge-postgres --print [--schema <name>] [--from <version>]

migrate      brings the schema up to this release; the database is --url or DATABASE_URL
maintenance  deletes deliveries that were settled more than --days days ago
keys         makes, replaces or takes away the integrator key of a company or reseller, and prints a new one, which can't
             be shown again; make and rotate need PIXCHARGE_PEPPER, the newest pepper, as <kid>:<secret>
--print      prints the migrations as SQL, for a tool of your own
`

interface PoolLike extends Connection {
  readonly end: () => Promise<void>
}

const connect = async (url: string): Promise<PoolLike> => {
  const pg = await import("pg").catch(() => {
    throw new Error("the command needs the package pg: npm install pg, or add -p pg after npx")
  })
  return new pg.default.Pool({ connectionString: url })
}

export const useDatabase = async (
  url: string | undefined,
  work: (db: Connection) => Promise<string>,
): Promise<string> => {
  if (!url) throw new Error("no database is named: give --url or set DATABASE_URL")
  const pool = await connect(url)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

const runMigrate = async (db: Connection, schema: SchemaOptions): Promise<string> => {
  const steps = (await migrate(db, schema)).map(({ version, name }) => `${version}: ${name}`)
  return steps.length === 0 ? "the schema is up to date" : `migrated\n${steps.join("\n")}`
}

const dayMs = 86_400_000

/** Returns the time of that many days ago. */
export const parseDays = (days: string | undefined): number => {
  const count = Number(days)
  if (days === undefined || !(count >= 1)) throw new Error(`--days takes a number of days from 1, not ${days}`)
  return Date.now() - count * dayMs
}

const runMaintenance = async (db: Connection, schema: SchemaOptions, days: string | undefined): Promise<string> => {
  const done = await maintenance(db, { ...schema, settledBefore: parseDays(days) })
  return `${done.purgedDeliveries} deliveries deleted`
}

const parseVersion = (text: string | undefined): number => {
  const version = Number(text ?? 1)
  if (!Number.isInteger(version) || version < 1) throw new Error(`--from takes a version, not ${text}`)
  return version
}

/** Secrets come from environment variables, because other users of the machine can see arguments. */
interface CommandEnvironment {
  /** The database, unless `--url` names another one. */
  readonly DATABASE_URL?: string | undefined
  readonly PIXCHARGE_PEPPER?: string | undefined
}

export const runCommand = async (
  args: ReadonlyArray<string>,
  { DATABASE_URL, PIXCHARGE_PEPPER }: CommandEnvironment = {},
): Promise<string> => {
  const { values, positionals } = parseArgs({
    args: [...args],
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
  const url = values.url ?? DATABASE_URL
  const [command, action, cnpj] = positionals
  if (values.help) return usage
  if (values.print) return printMigrations({ ...schema, from: parseVersion(values.from) })
  if (command === "migrate") return useDatabase(url, (db) => runMigrate(db, schema))
  if (command === "maintenance") return useDatabase(url, (db) => runMaintenance(db, schema, values.days))
  if (command === "keys" && action !== undefined && cnpj !== undefined && isKeyAction(action)) {
    return useDatabase(url, (db) => changeKey(db, { ...schema, action, cnpj, pepper: PIXCHARGE_PEPPER }))
  }
  throw new Error(usage)
}
