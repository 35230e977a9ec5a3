import { parseArgs } from "node:util"
import type { Connection, SchemaOptions } from "@pixcharge/store-postgres"
import { parseDays, useDatabase } from "@pixcharge/store-postgres/internal"
import { distribute } from "./cluster/distribute.ts"
import { maintenance } from "./maintenance.ts"

const usage = `pixcharge-citus distribute [--shards <number>] [--url <postgres url>] [--schema <name>]
pixcharge-citus maintenance --days <number> [--url <postgres url>] [--schema <name>]

distribute   brings the schema up to this release and distributes it, over the coordinator's url, while no host runs that uses it
             undistributed; into 32 shards unless --shards says otherwise; to be run again after updates
maintenance  deletes deliveries that were settled more than --days days ago, in every shard
The database is --url or DATABASE_URL. For keys run pixcharge-postgres, on a distributed schema as on a plain one.
`

const runDistribute = async (db: Connection, schema: SchemaOptions, shards: string | undefined): Promise<string> => {
  const done = await distribute(db, { ...schema, ...(shards !== undefined && { shards: Number(shards) }) })
  const tables =
    done.tables.length === 0 ? "every table was distributed already" : `distributed\n${done.tables.join("\n")}`
  return `${tables}\n${done.shards} shards`
}

const runMaintenance = async (db: Connection, schema: SchemaOptions, days: string | undefined): Promise<string> => {
  const done = await maintenance(db, { ...schema, settledBefore: parseDays(days) })
  return `${done.purgedDeliveries} deliveries deleted`
}

export const runCommand = async (
  args: ReadonlyArray<string>,
  { DATABASE_URL }: { readonly DATABASE_URL?: string | undefined } = {},
): Promise<string> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      url: { type: "string" },
      schema: { type: "string" },
      days: { type: "string" },
      shards: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  })
  const schema = values.schema === undefined ? {} : { schema: values.schema }
  const url = values.url ?? DATABASE_URL
  const [command] = positionals
  if (values.help) return usage
  if (command === "distribute") return useDatabase(url, (db) => runDistribute(db, schema, values.shards))
  if (command === "maintenance") return useDatabase(url, (db) => runMaintenance(db, schema, values.days))
  throw new Error(usage)
}
