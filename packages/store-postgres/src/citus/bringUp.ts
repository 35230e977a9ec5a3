import type { Connection } from "../Connection.ts"
import { type Database, makeDatabase } from "../database/Database.ts"
import { checkSchema } from "../migrations/migrate.ts"
import { readSchema } from "../migrations/readSchema.ts"
import type { ReadyOptions } from "../ready.ts"
import { schemaName, type SchemaName } from "../SchemaName.ts"
import { checkVersions } from "./checkVersions.ts"
import { CitusUnusable } from "./CitusUnusable.ts"
import { distribute } from "./distribute.ts"
import { isWhole, readDistribution } from "./distribution.ts"

const command = "run `npx -p @pixcharge/store-postgres pixcharge-postgres distribute`"

const checkDistribution = async (database: Database, schema: SchemaName): Promise<void> => {
  if (!isWhole(await readDistribution(database, schema))) {
    throw new CitusUnusable({ message: `Schema ${schema} is not distributed as this release needs it: ${command}.` })
  }
}

/**
 * Checks that a distributed schema can be used, and brings it up to date unless `migrations` is `check`. Refuses one that was never
 * distributed: that is for an operator to decide.
 */
export const bringUp = async (db: Connection, options: ReadyOptions): Promise<void> => {
  const schema = schemaName(options.schema)
  const database = makeDatabase(db, schema)
  await checkVersions(db, schema)
  const found = await readDistribution(database, schema)
  if (found.shards === 0) throw new CitusUnusable({ message: `Schema ${schema} is not distributed: ${command}.` })
  const { missing } = await readSchema(db, schema)
  const isPending = missing.length > 0 || !isWhole(found)
  if (isPending && options.migrations !== "check") {
    const { schema: named } = options
    await distribute(db, named === undefined ? {} : { schema: named })
  }
  await checkSchema(db, options)
  await checkDistribution(database, schema)
}
