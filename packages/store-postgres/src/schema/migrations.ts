import { directoryTables } from "./0001/directoryTables.sql.ts"
import { functions } from "./0001/functions.sql.ts"
import { indexes } from "./0001/indexes.sql.ts"
import { tables } from "./0001/tables.sql.ts"

/** One step of the schema: numbered, and never changed once it was released. */
export interface Migration {
  readonly version: number
  readonly name: string
  /** SQL, in which `@.` stands for the schema. */
  readonly statements: string
  /**
   * The oldest version of the schema whose release may go on, and start, once this step was taken; by default none that is
   * older than the step. A step that only adds names the version of the release before (docs/upgrading.md).
   */
  readonly readableFrom?: number
}

/** Every step, in order. Until a release is tagged, the first is edited, and none is appended. */
export const migrations: ReadonlyArray<Migration> = [
  { version: 1, name: "initial schema", statements: tables + directoryTables + indexes + functions },
]
