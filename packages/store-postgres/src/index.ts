export type { Connection, Statement } from "./Connection.ts"
export { SqlFailure, type FailureKind } from "./database/SqlFailure.ts"
export {
  postgresDirectory,
  type PostgresDirectory,
  type PostgresDirectoryOptions,
} from "./directory/postgresDirectory.ts"
export { maintenance, type Maintained, type MaintenanceOptions } from "./maintenance.ts"
export { checkSchema, migrate, type MigrationName, type SchemaOptions } from "./migrations/migrate.ts"
export { printMigrations } from "./migrations/printMigrations.ts"
export { SchemaIncomplete, SchemaTooNew, SchemaTooOld, SchemaUnreleased } from "./migrations/SchemaErrors.ts"
export { neonConnection, type NeonLike } from "./neonConnection.ts"
export { pgliteConnection, type PGliteLike } from "./pgliteConnection.ts"
export { postgresStore, type PostgresStoreOptions } from "./postgresStore.ts"
export { DatabaseNotUnicode } from "./readServer.ts"
export { type ReadyOptions, StoreNotReady } from "./ready.ts"
export { RightsMissing } from "./rights.ts"
export { InvalidSchemaName } from "./SchemaName.ts"
