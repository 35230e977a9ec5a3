import type { SchemaName } from "../SchemaName.ts"
import { charges } from "./0001_charges.sql.ts"
import { outbox } from "./0002_outbox.sql.ts"
import { directory } from "./0003_directory.sql.ts"
import { refundChecks } from "./0004_refund_checks.sql.ts"
import { lastAttempts } from "./0005_last_attempts.sql.ts"
import { ledger } from "./0006_ledger.sql.ts"

/** One step of the schema: numbered, and never changed once it was released. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: (schema: SchemaName) => string
}

/** Every step, in order; new ones are appended. */
export const migrations: ReadonlyArray<Migration> = [
  { version: 1, name: "charges", statements: charges },
  { version: 2, name: "outbox", statements: outbox },
  { version: 3, name: "directory", statements: directory },
  { version: 4, name: "refund checks", statements: refundChecks },
  { version: 5, name: "last attempts", statements: lastAttempts },
  { version: 6, name: "ledger", statements: ledger },
]

/** The schema version that this code works with. */
export const schemaVersion = migrations.length
