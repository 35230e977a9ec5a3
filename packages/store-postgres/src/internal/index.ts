// Exports for `store-citus`. Any release can change them.
export { makeFindOwners } from "../charges/readCharges.ts"
export { makeRevokedTokens } from "../directory/PostgresRevokedTokens.ts"
export { makeStorePorts } from "../postgresStore.ts"
export { keepAppendOnly } from "../schema/0001/functions.sql.ts"
export { migrateBy } from "../schema/migrate.ts"
export { migrations } from "../schema/migrations.ts"
export { readSchema } from "../schema/readSchema.ts"
export { checkConnection, prepareSchema, readyRules } from "../schema/ready.ts"
export { type Rights, storeRights } from "../schema/rights.ts"
export { schemaName, type SchemaName } from "../sql/SchemaName.ts"
export {
  type Answer,
  type Caller,
  confirmReplication,
  type Database,
  makeDatabase,
  type Row,
  withReads,
} from "../sql/Database.ts"
export { afterLost } from "../sql/retry.ts"
export { repeatable, repeatableCall, type SchemaSql, type Sql, type SqlValue, unrepeatable } from "../sql/Sql.ts"
export { sqlFailure } from "../sql/SqlFailure.ts"
export { storeEffect } from "../sql/Database.ts"
export { isTrue, numberIn, numberOr, textIn, textOr } from "../sql/values.ts"
export { diagnoseDatabase } from "../upkeep/diagnoseDatabase.ts"
export { parseDays, useDatabase } from "../upkeep/runCommand.ts"
