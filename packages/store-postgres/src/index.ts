export type { Connection, Statement } from "./sql/Connection.ts"
export { SqlFailure, type FailureKind } from "./sql/SqlFailure.ts"
export {
  postgresDirectory,
  type PostgresDirectory,
  type PostgresDirectoryOptions,
} from "./directory/postgresDirectory.ts"
export { maintenance, type Maintained, type MaintenanceOptions } from "./upkeep/maintenance.ts"
export { checkSchema, migrate, type MigrationName, type SchemaOptions } from "./schema/migrate.ts"
export { printMigrations } from "./schema/printMigrations.ts"
export {
  SchemaDistributed,
  SchemaIncomplete,
  SchemaTooNew,
  SchemaTooOld,
  SchemaUnreleased,
} from "./schema/SchemaErrors.ts"
export { neonConnection, type NeonLike } from "./sql/connections.ts"
export { pgliteConnection, type PGliteLike } from "./sql/connections.ts"
export { postgresStore, type PostgresStoreOptions } from "./postgresStore.ts"
export { DatabaseNotUnicode } from "./sql/readServer.ts"
export { type ReadyOptions, StoreNotReady } from "./schema/ready.ts"
export { RightsMissing } from "./schema/rights.ts"
export { InvalidSchemaName } from "./schema/SchemaName.ts"
