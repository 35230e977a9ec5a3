import type { Connection } from "../sql/Connection.ts"
import { makeDatabase } from "../sql/Database.ts"
import type { SchemaOptions } from "../schema/migrate.ts"
import { schemaName } from "../schema/SchemaName.ts"
import { CitusUnusable } from "./Shards.ts"
import { isDistributed } from "./distribution.ts"

/** Refuses a schema whose tables are in shards: the statements of a plain Postgres would fail there, or do half of their work. */
export const refuseDistributed = async (db: Connection, options: SchemaOptions): Promise<void> => {
  const schema = schemaName(options.schema)
  if (await isDistributed(makeDatabase(db, schema), schema)) {
    const message = `Schema ${schema} is distributed by Citus: use \`citusStore\` of @pixcharge/store-postgres/citus.`
    throw new CitusUnusable({ message })
  }
}
