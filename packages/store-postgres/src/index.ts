export type { Connection, Statement } from "./sql/Connection.ts"
export { SqlFailure, type FailureKind } from "./sql/SqlFailure.ts"
export { postgresDirectory, type PostgresDirectory, type PostgresDirectoryOptions } from "./postgresDirectory.ts"
export { maintenance, type Maintained, type MaintenanceOptions } from "./upkeep/maintenance.ts"
export { checkSchema, migrate, type MigrationName, type SchemaOptions } from "./schema/migrate.ts"
export { printMigrations } from "./schema/migrations.ts"
export {
  SchemaDistributed,
  SchemaIncomplete,
  SchemaTooNew,
  SchemaTooOld,
  SchemaUnreleased,
} from "./schema/SchemaErrors.ts"
export { neonConnection, type NeonLike } from "./sql/Connection.ts"
export { pgliteConnection, type PGliteLike } from "./sql/Connection.ts"
export { postgresStore, type PostgresStoreOptions } from "./postgresStore.ts"
export { DatabaseNotUnicode } from "./schema/readSchema.ts"
export { type ReadyOptions, StoreNotReady } from "./schema/ready.ts"
export { RightsMissing } from "./schema/rights.ts"
export { InvalidSchemaName } from "./sql/SchemaName.ts"
